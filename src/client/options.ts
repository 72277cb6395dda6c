import type { Environment } from "./environments.ts";

/**
 * An access token. For tokens that expire, pass a function that returns one: the client calls it before each attempt. After
 * a 401, the client calls it again with `renew`, and sends the request once more. Concurrent calls whose token is rejected
 * share one such call. It is called without `this`.
 */
export type AccessToken = string | ((request: TokenRequest) => string | Promise<string>);

/** The argument of the token function. */
export interface TokenRequest {
  /** Whether the service has just responded with 401. If so, fetch a new token instead of returning a cached one. */
  readonly renew: boolean;
}

/** The action for an unexpected response: throw an error, log a warning, or ignore it. */
export type OnMismatch = "throw" | "warn" | "ignore";

/**
 * Receives log messages: `console`, or any logger with these methods. pino and bunyan, which expect the details first, also
 * work. The access token is redacted in messages and details. A logger that throws does not affect the call.
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
  /** The full URL. */
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
  /** The duration in milliseconds, including token, hooks and body; for a call, also including delays between attempts. */
  readonly duration: number;
  /** The HTTP status of the response (for a call, of the last attempt's response); undefined if none arrived. */
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
 * Functions that the client calls around each attempt and at the end of each call, for logs, metrics and traces. The access
 * token is redacted in what they receive.
 *
 * The client waits for `onRequest` and `onResponse`, within the timeout, and for `onRetry`. If one of them throws, the call fails
 * with that error and is not retried. The client does not wait for `onAttemptEnd` and `onCallEnd`, and logs their errors as
 * warnings.
 */
export interface Hooks {
  /** Called before an attempt is sent. May set headers; the client overwrites the token, the version and `Accept`. */
  onRequest?(attempt: AttemptFacts & { readonly headers: Headers }): void | Promise<void>;
  /**
   * Called when the response headers have arrived, with a copy of them in which the token and webhook secrets are redacted.
   * `duration` is the time since the request was sent.
   */
  onResponse?(
    attempt: AttemptFacts & { readonly status: number; readonly headers: Headers; readonly duration: number },
  ): void | Promise<void>;
  /** Called at the end of each attempt, including one that failed before it was sent. */
  onAttemptEnd?(attempt: AttemptFacts & Outcome): void;
  /** Called before the client waits for a retry. */
  onRetry?(attempt: AttemptFacts & { readonly error: Error }): void | Promise<void>;
  /** Called at the end of each call, except for a call with an invalid argument. */
  onCallEnd?(call: CallEnd): void;
}

/** Options for one call. All are optional and override the client's. */
export interface CallOptions {
  /** Cancels the call. It fails with a `TimeoutError` after `AbortSignal.timeout()`, otherwise with an `AbortedError`. */
  readonly signal?: AbortSignal | undefined;
  /** Maximum duration of one attempt, including the response body, in milliseconds. */
  readonly timeout?: number | undefined;
  /** Maximum duration of the whole call, in milliseconds, including delays between attempts. */
  readonly totalTimeout?: number | undefined;
  /** Maximum number of retries. With `0`, only a 401 is repeated, once, if `accessToken` is a function. */
  readonly maxRetries?: number | undefined;
  /** Maximum size of a response body, in bytes after decompression. */
  readonly maxResponseBytes?: number | undefined;
  /**
   * Additional headers. `Service-Version`, `Authorization`, `Accept` and `Content-Type` are not allowed, because the client sets
   * them.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Access token for this call. `undefined` is rejected, so that a call never falls back to the client's token. */
  readonly accessToken?: AccessToken;
}

/** The second argument of {@link FetchFunction}: options of `fetch` that every implementation knows. */
export interface FetchInit {
  /** The method, in upper case. */
  readonly method: string;
  /** All headers with lower-case names, including `authorization` with the access token. */
  readonly headers: Record<string, string>;
  /** The body as JSON; null if there is none. */
  readonly body: string | null;
  /** Aborts when the timeout expires or you cancel the call. */
  readonly signal: AbortSignal;
  /** A redirect must not be followed: it could send the token to another host. */
  readonly redirect: "manual";
  /** Set for a GET, because a framework may cache it. */
  readonly cache?: "no-store";
}

/** What a {@link FetchFunction} returns: a `Response` of any implementation, or an object with the same fields. */
export interface FetchedResponse {
  readonly status: number;
  readonly headers: Iterable<[name: string, value: string]> & { get(name: string): string | null };
  /** The body; null if there is none. Reading stops at `maxResponseBytes`. */
  readonly body: AsyncIterable<unknown> | ReadableStream<unknown> | null;
  readonly url?: string;
  readonly type?: string;
  /** Reads a body that is not a stream. */
  text?(): Promise<string>;
}

/** A function like `fetch`, for example that of undici or node-fetch. */
export type FetchFunction = (url: string, init: FetchInit) => Promise<FetchedResponse>;

/**
 * An instance of ky 2.1 or newer: `ky` itself, or the result of `ky.create()` or `ky.extend()`. Only the parts that the client
 * needs are typed, so that the types of every release are compatible.
 */
export interface KyInstance {
  (url: never, options: never): Promise<Response>;
  readonly extend: unknown;
}

/** Options for `createClient`. `accessToken` is required; to call a real service, so is `baseUrl`. */
export interface ClientOptions {
  /** The token to send as `Authorization: Bearer <token>`. `createClient` throws if it is undefined, like an unset variable. */
  readonly accessToken: AccessToken | undefined;
  /** Selects a placeholder base URL (G-BASE). Has no effect with `baseUrl`. Defaults to `production`. */
  readonly environment?: Environment | undefined;
  /** Base URL of the service, without `/v1`. Must be absolute, with `https:` or `http:`. Defaults to a placeholder. */
  readonly baseUrl?: string | URL | undefined;
  /** Maximum duration of one attempt, including the response body, in milliseconds. Defaults to 30,000. */
  readonly timeout?: number | undefined;
  /** Maximum duration of a whole call, in milliseconds, including delays between attempts. Defaults to none. */
  readonly totalTimeout?: number | undefined;
  /**
   * Maximum number of retries. With `0`, only a 401 is repeated, once, if `accessToken` is a function. Defaults to 2.
   *
   * Operations that are assumed to be idempotent (G-IDEMPOTENT) are retried after network failures, timeouts, 408, 425, 429 and
   * every 5xx except 501 and 505; all others only after 429.
   *
   * If `Retry-After` is at most a minute, the client waits that long; if it is more, the call fails immediately. Without that
   * header, the delay is random. Its maximum is 0.5 seconds before the first retry, and doubles with each further retry, up to 8
   * seconds.
   */
  readonly maxRetries?: number | undefined;
  /**
   * Maximum size of a response body, in bytes after decompression. Defaults to 33,554,432 (32 MiB). If a body is larger, or has
   * more than 1,000,000 names and values, the call fails with a `ResponseTooLargeError` and is not retried. Of the body of an
   * error, at most 1 MiB is read.
   */
  readonly maxResponseBytes?: number | undefined;
  /**
   * Function that sends the requests, called as `fetch(url, init)`, for example `mock.fetch`. Defaults to the global `fetch`. Not
   * allowed together with `ky`.
   */
  readonly fetch?: FetchFunction | undefined;
  /**
   * Your own instance of [ky](https://github.com/sindresorhus/ky) that makes the calls. Its hooks, `fetch` and headers apply.
   * The client sets everything else, such as the token, the version, retries and timeouts. Not allowed together with `fetch`.
   */
  readonly ky?: KyInstance | undefined;
  /**
   * Headers for every request, without those that the client or the connection sets: for example `Service-Version`,
   * `Authorization`, `Accept`, `Content-Type` and `Host`.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Functions to call around each attempt and at the end of each call. */
  readonly hooks?: Hooks | undefined;
  /** Receives a message for each attempt, retry and warning. Defaults to `console`. */
  readonly logger?: Logger | undefined;
  /** Minimum level of log messages. Defaults to `debug` with a `logger`, otherwise to `warn`. */
  readonly logLevel?: LogLevel | undefined;
  /**
   * Action for a successful response that does not match the contract. Defaults to `warn`, once per operation and field. Set
   * `throw` for tests and staging.
   */
  readonly onResponseMismatch?: OnMismatch | undefined;
  /** Action for a response of another version. Defaults to `throw`. */
  readonly onVersionMismatch?: OnMismatch | undefined;
}

/** Options for `client.request`, in addition to the call options. */
export interface RequestOptions extends CallOptions {
  /** The query parameters. Each element of an array is sent as a separate parameter of that name. */
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>> | undefined;
  /** The value to send as JSON. */
  readonly body?: unknown;
  /** Whether the request is idempotent and can be retried. Defaults to true for GET, and to false for other methods. */
  readonly idempotent?: boolean | undefined;
}
