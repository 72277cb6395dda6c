/** The part of a request that the service reads. A `Request` has it, and so does a request from a socket. */
export interface IncomingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: {
    get(name: string): string | null;
    /** Returns the lower-case name of every header. */
    keys(): Iterable<string>;
  };
  /** Null for a request without a body. */
  readonly body: unknown;
  /** Whether `Content-Length` was sent; undefined in the process, where requests do not have the header. */
  readonly hasLength?: boolean;
  readonly signal: AbortSignal;
  text(): Promise<string>;
  arrayBuffer(): Promise<ArrayBuffer | Uint8Array>;
}
