/** The part of undici's `Dispatcher` that the transport uses, for example of an `Agent` or a `ProxyAgent`. */
export interface UndiciDispatcher {
  request(request: UndiciRequest): Promise<UndiciResponse>;
}

/** A request as undici expects it. */
export interface UndiciRequest {
  readonly origin: string;
  /** The path and the query. */
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal: AbortSignal;
  /** 0 disables undici's own timeout, because the client has one. */
  readonly headersTimeout: number;
  readonly bodyTimeout: number;
}

/** A response of undici. */
export interface UndiciResponse {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: UndiciBody;
}

/** The body of a response of undici. */
export type UndiciBody = AsyncIterable<Uint8Array>;
