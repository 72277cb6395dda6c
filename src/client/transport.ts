/**
 * Sends the requests of a client instead of `fetch`, for example `undiciTransport()` of `@billing-service/sdk/undici`.
 *
 * The client does everything else: token, headers, retries, timeout, checks of the response.
 */
export interface Transport {
  /**
   * Sends one request, once, and resolves when the headers of the response have arrived. It must not follow redirects,
   * which could send the token to another host, and must stop when `request.signal` aborts.
   *
   * If it rejects, the attempt fails with a `NetworkError` whose `cause` is the reason, without the access token.
   */
  send(request: TransportRequest): Promise<TransportResponse>;
}

/** One HTTP request, complete. */
export interface TransportRequest {
  /** The operation's identifier, or `METHOD path` for `client.request`. */
  readonly operation: string;
  /** The method, in upper case. */
  readonly method: string;
  /** The absolute address. */
  readonly url: string;
  /** All headers with lower-case names, including `authorization` with the access token. */
  readonly headers: Readonly<Record<string, string>>;
  /** The body as JSON; undefined if there is none. */
  readonly body: string | undefined;
  /** Aborts when the timeout expires, the caller cancels the call, or the client does not need the rest of the body. */
  readonly signal: AbortSignal;
}

/** A response whose body has not been read, for example a `Response`. */
export interface TransportResponse {
  /** The HTTP status. */
  readonly status: number;
  readonly headers: TransportHeaders;
  /**
   * The body after decompression; null if there is none. The client reads it up to `maxResponseBytes`. If reading fails, so
   * does the attempt, with a `NetworkError`.
   */
  readonly body: AsyncIterable<Uint8Array> | ReadableStream<Uint8Array> | null;
  /** The `url` of the `Response` that `withResponse()` returns. Defaults to an empty string, as in a new `Response`. */
  readonly url?: string;
}

/** The headers of a response. `Headers` implements it. */
export interface TransportHeaders extends Iterable<[name: string, value: string]> {
  /** Returns the value of a header, or null. The client passes the name in lower case. */
  get(name: string): string | null;
}
