/**
 * An access token, or a function that returns one and is called before each attempt (for tokens that expire). After a 401
 * the function is called again with `renew`, and the call gets one more attempt.
 */
export type AccessToken = string | ((request: TokenRequest) => string | Promise<string>);

/** The argument of the token function. */
export interface TokenRequest {
  /** Whether the service just responded with 401. If so, fetch a new token instead of using a cached one. */
  readonly renew: boolean;
}

/** An environment of the service. */
export type Environment = "production" | "sandbox";

/**
 * The base URL of each environment. They are placeholders, since the specification names none (G-BASE). Override them
 * with `baseUrl`.
 */
export const ENVIRONMENTS: Readonly<Record<Environment, string>> = {
  production: "https://api.billing-service.example",
  sandbox: "https://sandbox-api.billing-service.example",
};

/** The reaction to an unexpected response: throw an error, log a warning, or ignore it. */
export type OnMismatch = "throw" | "warn" | "ignore";

/**
 * Receives the client's log messages: `console`, or any logger with these methods. pino and bunyan, which take the details
 * first, are recognized. Messages never contain a token. A logger that throws does not fail the call.
 */
export interface Logger {
  debug(message: string, details?: Readonly<Record<string, unknown>>): void;
  warn(message: string, details?: Readonly<Record<string, unknown>>): void;
}

/** The minimum level of log messages: `debug` for all, `warn` for warnings only, `off` for none. */
export type LogLevel = "debug" | "warn" | "off";

/** A call, as passed to hooks. */
export interface CallFacts {
  /** A unique identifier of the call, shared by its attempts. */
  readonly callId: string;
  /** The operation's identifier, or `METHOD path` for `client.request`. */
  readonly operation: string;
  readonly method: string;
  /** The full address. */
  readonly url: string;
}

/** One attempt of a call, as passed to hooks. */
export interface AttemptFacts extends CallFacts {
  /** A unique identifier of the attempt. */
  readonly attemptId: string;
  /** The number of the attempt, starting at 1. */
  readonly attempt: number;
}

/** The outcome of an attempt or a call. */
export interface Outcome {
  /** The duration in milliseconds, including token, hooks and body; for a call, also the delays between attempts. */
  readonly duration: number;
  /** The HTTP status of the response, for a call of its last attempt; undefined if none arrived. */
  readonly status: number | undefined;
  /** The error; undefined on success. */
  readonly error: Error | undefined;
}

/** The end of a call, as passed to hooks. */
export interface CallEnd extends CallFacts, Outcome {
  /** The number of attempts; 0 if the caller's signal had already aborted. */
  readonly attempts: number;
}

/**
 * Functions that are called around each attempt and at the end of each call, for logs, metrics and traces. They never see
 * a credential.
 *
 * The client waits for `onRequest`, `onResponse` and `onRetry`, within the timeout. If one throws, the call fails with that
 * error and is not retried. `onAttemptEnd` and `onCallEnd` only observe: the client does not wait for them, and logs their
 * errors as warnings.
 */
export interface Hooks {
  /** Called before an attempt is sent. May set headers, except those reserved for the client. */
  onRequest?(attempt: AttemptFacts & { readonly headers: Headers }): void | Promise<void>;
  /**
   * Called when the headers of a response have arrived, with a copy of them in which the token and webhook secrets are
   * redacted. `duration` is measured from sending the request.
   */
  onResponse?(
    attempt: AttemptFacts & { readonly status: number; readonly headers: Headers; readonly duration: number },
  ): void | Promise<void>;
  /** Called at the end of each attempt, including one that failed before it was sent. */
  onAttemptEnd?(attempt: AttemptFacts & Outcome): void;
  /** Called before the client waits for a retry. `delay` is in milliseconds. */
  onRetry?(attempt: AttemptFacts & { readonly error: Error; readonly delay: number }): void | Promise<void>;
  /** Called at the end of each call, but not for a call with an invalid argument. */
  onCallEnd?(call: CallEnd): void;
}

/** Options for one call. All are optional and override the client's. */
export interface CallOptions {
  /** Cancels the call, with a `TimeoutError` for `AbortSignal.timeout()`, otherwise with an `AbortedError`. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum duration of one attempt, including the response body, in milliseconds. */
  readonly timeout?: number | undefined;
  /** Maximum number of retries. `0` disables retrying. */
  readonly maxRetries?: number | undefined;
  /** Maximum size of a response body, in bytes after decompression. */
  readonly maxResponseBytes?: number | undefined;
  /** Additional headers. `Service-Version`, `Authorization`, `Accept` and `Content-Type` are not allowed. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Access token for this call. `undefined` is rejected, so that it never falls back to the client's token. */
  readonly accessToken?: AccessToken;
}

/**
 * An instance of ky 2: `ky` itself, or what `ky.create()` and `ky.extend()` return. Only the parts that the client needs are
 * typed, so that every release of ky 2 fits.
 */
export interface KyInstance {
  (url: never, options: never): Promise<Response>;
  readonly extend: unknown;
}

/** Options for `createClient`. Only `accessToken` is required. */
export interface ClientOptions {
  /** The token sent as `Authorization: Bearer <token>`. The type allows an environment variable; `createClient` rejects `undefined`. */
  readonly accessToken: AccessToken | undefined;
  /** The environment to call. Defaults to `production`. */
  readonly environment?: Environment | undefined;
  /** Base URL to use instead of the environment's. Must be absolute, with `https:` or `http:`. */
  readonly baseUrl?: string | URL | undefined;
  /** Maximum duration of one attempt, including the response body, in milliseconds. Defaults to 30,000. */
  readonly timeout?: number | undefined;
  /**
   * Maximum number of retries. `0` disables retrying. Defaults to 2. Idempotent operations (G-IDEMPOTENT) are retried after
   * network failures, timeouts, 408, 429, 500, 502, 503 and 504; all others only after 429.
   *
   * The delay is `Retry-After` if the service sends it, otherwise a random delay of up to 500 ms, doubling up to 8 s. If the
   * service requests more than 60 s, the call fails at once.
   */
  readonly maxRetries?: number | undefined;
  /**
   * Maximum size of a response body, in bytes after decompression. Defaults to 33,554,432 (32 MiB). A longer one fails
   * with a `ResponseTooLargeError`; the rest is not read, and the call is not retried.
   */
  readonly maxResponseBytes?: number | undefined;
  /** Function that sends the requests, for example `mock.fetch`. Defaults to the global `fetch`. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /**
   * Sends the requests with your own instance of [ky](https://github.com/sindresorhus/ky): its hooks, `fetch` and headers
   * apply, and the `Request` that it makes is sent. The token, the version, retries and timeouts stay the client's. Not
   * allowed together with `fetch`.
   */
  readonly ky?: KyInstance | undefined;
  /** Sends the requests instead of `fetch`, for example `undiciTransport()`. Not allowed together with `fetch` or `ky`. */
  readonly transport?: Transport | undefined;
  /** Headers for every request. `Service-Version`, `Authorization`, `Accept` and `Content-Type` are not allowed. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Functions that are called around each attempt and at the end of each call. */
  readonly hooks?: Hooks | undefined;
  /** Receives a message for each attempt, retry and warning. Defaults to `console`. */
  readonly logger?: Logger | undefined;
  /** Minimum level of log messages. Defaults to `debug` with a `logger`, otherwise to `warn`. */
  readonly logLevel?: LogLevel | undefined;
  /** Reaction to a response that does not match the contract. Defaults to `throw`. */
  readonly onResponseMismatch?: OnMismatch | undefined;
  /** Reaction to a response of another version. Defaults to `throw`. */
  readonly onVersionMismatch?: OnMismatch | undefined;
}

/** Options for `client.request`, in addition to the call options. */
export interface RequestOptions extends CallOptions {
  /** The query parameters. An array repeats the name. */
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>> | undefined;
  /** The value to send as JSON. */
  readonly body?: unknown;
  /** Whether the request is idempotent, so that it is retried. Defaults to true for GET and false for other methods. */
  readonly repeatable?: boolean | undefined;
}

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
