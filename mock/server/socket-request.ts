import type { IncomingMessage, ServerResponse } from "node:http";
import type { IncomingRequest } from "../http/incoming-request.ts";
import { hasBody } from "./write-response.ts";

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
    this.headers = new SocketHeaders(incoming);
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

  async text(): Promise<string> {
    return decoder.decode(await this.arrayBuffer());
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

/** Headers of which Node.js keeps only the first, although every other adapter sees all of them. */
const FIRST_ONLY: ReadonlySet<string> = new Set(["authorization", "content-type"]);

/** The headers of a request from a socket. */
class SocketHeaders {
  readonly #incoming: IncomingMessage;

  constructor(incoming: IncomingMessage) {
    this.#incoming = incoming;
  }

  /** Returns the value of a header. Values of a repeated header are joined, as in `Headers`. */
  get(name: string): string | null {
    const incoming = this.#incoming;
    const value = incoming.headers[name] as string | undefined;
    if (value === undefined || !FIRST_ONLY.has(name)) return value ?? null;
    return isRepeated(incoming.rawHeaders, name) ? (incoming.headersDistinct[name] ?? []).join(", ") : value;
  }

  keys(): string[] {
    return Object.keys(this.#incoming.headers);
  }
}

/** Whether a header was sent more than once. Compares lengths first, because it runs for every request. */
function isRepeated(rawHeaders: readonly string[], name: string): boolean {
  let times = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index] as string;
    if (sent.length === name.length && sent.toLowerCase() === name) times += 1;
  }
  return times > 1;
}

const decoder = new TextDecoder();

const HOST = /^[\w.:[\]-]+$/;

/** Returns the full URL of a request. A request through a proxy contains it in the request line. */
function absolute({ url = "/", headers: { host = "" } }: IncomingMessage): string {
  if (!url.startsWith("/")) return url.includes("://") ? url : `http://localhost/${url}`;
  return `http://${HOST.test(host) ? host : "localhost"}${url}`;
}
