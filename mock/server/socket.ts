import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { parseUrl } from "../../src/values/urls.ts";
import type { FaultKind } from "../faults/faults.ts";
import { SOCKET_ERRORS } from "../http/error-replies.ts";
import type { IncomingRequest, SentResponse } from "../http/messages.ts";

/** A request from a socket. Reads and converts only what is asked for. */
export class SocketRequest implements IncomingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingRequest["headers"];
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #maxBytes: number;
  #abort: AbortController | undefined;

  /** @param maxBytes The part of the body beyond this length is not kept. */
  constructor(incoming: IncomingMessage, outgoing: ServerResponse, maxBytes: number) {
    this.method = incoming.method as string;
    this.url = absolute(incoming);
    this.headers = {
      get: (name) => (incoming.headers[name] as string | undefined) ?? null,
      keys: () => Object.keys(incoming.headers),
    };
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#maxBytes = maxBytes;
  }

  get body(): unknown {
    return hasBody(this.#incoming) ? this.#incoming : null;
  }

  get hasLength(): boolean {
    return this.#incoming.headers["content-length"] !== undefined;
  }

  /** Aborted when the client disconnects before the response is complete. */
  get signal(): AbortSignal {
    if (!this.#abort) {
      const abort = new AbortController();
      this.#abort = abort;
      this.#outgoing.once("close", () => {
        if (!this.#outgoing.writableFinished) abort.abort(new Error("The client has closed the connection."));
      });
    }
    return this.#abort.signal;
  }

  /** Returns the body. If it is too large, returns just more than the limit. */
  arrayBuffer(): Promise<Uint8Array> {
    if (this.#incoming.headers.expect !== undefined) this.#outgoing.writeContinue();
    return new Promise((resolve, reject) => {
      const incoming = this.#incoming;
      let kept: Buffer = Buffer.alloc(0);
      let length = 0;
      const finish = () => {
        incoming.off("data", keep);
        resolve(kept.subarray(0, length));
      };
      const keep = (chunk: Buffer) => {
        kept = append(kept, length, chunk);
        length += chunk.length;
        if (length > this.#maxBytes) finish();
      };
      incoming.on("data", keep).once("end", finish).once("error", reject);
    });
  }
}

/** The size of the first buffer for a body of several chunks, in bytes. */
const MIN_BUFFER = 64 * 1024;

/** Adds a chunk to one buffer that doubles in size: a body takes memory for its bytes, however many chunks it has. */
function append(kept: Buffer, length: number, chunk: Buffer): Buffer {
  if (length === 0) return chunk;
  const needed = length + chunk.length;
  let buffer = kept;
  if (needed > kept.length) {
    buffer = Buffer.allocUnsafeSlow(Math.max(needed, 2 * kept.length, MIN_BUFFER));
    kept.copy(buffer, 0, 0, length);
  }
  chunk.copy(buffer, length);
  return buffer;
}

/** Returns the full URL of a request. A request through a proxy contains it in the request line. */
function absolute({ url = "/", headers: { host = "" } }: IncomingMessage): string {
  if (!url.startsWith("/") && URL.canParse(url)) return url;
  const { origin } = parseUrl(`http://${host}`) ?? { origin: "http://localhost" };
  return origin + (url.startsWith("/") ? url : `/${url}`);
}

/** Sends a response. Node.js discards the rest of a body that nobody has read, until the request timeout. */
export function writeResponse(response: SentResponse, outgoing: ServerResponse): void {
  const { status, body } = response;
  const { req: incoming } = outgoing;
  // A client that still waits for the 100 does not send its body, so the connection has no next request.
  if (incoming.headers.expect !== undefined && incoming.readableFlowing === null) outgoing.shouldKeepAlive = false;
  const length = body === undefined ? 0 : Buffer.byteLength(body);
  outgoing.writeHead(status, status === 204 ? flatHeaders(response) : flatHeaders(response, length));
  outgoing.end(body);
}

/** Whether a request announces a body (RFC 9112, section 6.3). */
function hasBody({ headers }: IncomingMessage): boolean {
  const { "content-length": length, "transfer-encoding": encoding } = headers;
  return (length !== undefined && length !== "0") || encoding !== undefined;
}

/** Responds to what is not a request, or arrives too slowly, and closes the connection. */
export function writeSocketError({ code = "" }: NodeJS.ErrnoException, socket: Duplex, version: string): void {
  if (!socket.writable) return void socket.destroy();
  const headers = ["Connection: close", "Content-Length: 0", `Service-Version: ${version}`];
  socket.end([`HTTP/1.1 ${SOCKET_ERRORS[code] ?? "400 Bad Request"}`, ...headers, "", ""].join("\r\n"));
}

/** Returns the headers of a response as a flat list, which Node.js writes fastest. */
function flatHeaders({ headers, cookies = [] }: SentResponse, length?: number): string[] {
  const list: string[] = [];
  for (const name in headers) list.push(name, headers[name] as string);
  for (const cookie of cookies) list.push("Set-Cookie", cookie);
  if (length !== undefined) list.push("Content-Length", String(length));
  return list;
}

/** Makes the connection fail instead of sending a response, as the client will see it. */
type SocketFault = (outgoing: ServerResponse, socket: Socket, response: SentResponse) => void;

/** The effect of each fault on the socket. */
export const socketFaults: Readonly<Record<Exclude<FaultKind, "timeout">, SocketFault>> = {
  reset: (_, socket) => socket.resetAndDestroy(),

  truncated: (outgoing, socket, response) => {
    const bytes = Buffer.from((response.body ?? "") as string);
    outgoing.writeHead(response.status, flatHeaders(response, Math.max(bytes.length, 2)));
    outgoing.flushHeaders();
    outgoing.write(bytes.subarray(0, Math.floor(bytes.length / 2)));
    socket.end();
  },
};
