import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { EncodedResponse } from "../http/encoded-response.ts";

/** Sends a response. The rest of a body that nobody has read is discarded. */
export function writeResponse(response: EncodedResponse, outgoing: ServerResponse): void {
  const { status, json } = response;
  const length = json === undefined ? 0 : Buffer.byteLength(json);
  const { req: incoming } = outgoing;
  const isUnread = hasBody(incoming) && !incoming.complete;
  const isWaiting = isUnread && incoming.headers.expect !== undefined && incoming.readableFlowing === null;
  // The client then sends its body to nobody, or not at all, so the connection has no next request.
  if (isWaiting) outgoing.shouldKeepAlive = false;
  outgoing.writeHead(status, status === 204 ? flatHeaders(response) : flatHeaders(response, length));
  if (!isUnread || isWaiting) return void outgoing.end(json);
  if (json === undefined) outgoing.flushHeaders();
  else outgoing.write(json);
  discardBody(incoming, outgoing);
}

/** Whether a request announces a body (RFC 9112, section 6.3). */
export function hasBody({ headers }: IncomingMessage): boolean {
  const { "content-length": length, "transfer-encoding": encoding } = headers;
  return (length !== undefined && length !== "0") || encoding !== undefined;
}

/** The part of a body that is discarded after its response, in bytes, and what each of its chunks counts in addition. */
const MAX_DISCARDED = 10 * 1024 * 1024;
const CHUNK_COST = 32;

/** Sockets on which a response has begun whose request is not complete. */
const discarding = new WeakSet<Duplex>();

/**
 * Discards the body of a request that was answered, so that a client that first sends everything can read the response,
 * and can send its next request. Closes the connection when the body is too large for that.
 */
function discardBody(incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { socket } = incoming;
  let room = MAX_DISCARDED;
  discarding.add(socket);
  incoming.on("data", (chunk: Buffer) => {
    room -= chunk.length + CHUNK_COST;
    if (room < 0) socket.destroy();
  });
  incoming.once("end", () => {
    discarding.delete(socket);
    outgoing.end();
  });
}

const STATUSES: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** Responds to what is not a request, or arrives too slowly, and closes the connection. */
export function writeSocketError({ code = "" }: NodeJS.ErrnoException, socket: Duplex, version: string): void {
  if (!socket.writable || discarding.has(socket)) return void socket.destroy();
  const headers = ["Connection: close", "Content-Length: 0", `Service-Version: ${version}`];
  socket.end([`HTTP/1.1 ${STATUSES[code] ?? "400 Bad Request"}`, ...headers, "", ""].join("\r\n"));
}

/** Returns the headers of a response as a flat list, which Node.js writes fastest. */
export function flatHeaders({ headers }: Pick<EncodedResponse, "headers">, length?: number): string[] {
  const list: string[] = [];
  for (const name in headers) list.push(name, headers[name] as string);
  if (length !== undefined) list.push("Content-Length", String(length));
  return list;
}
