/** An environment of the service. */
export type Environment = "production" | "sandbox";

/** The base URL of each environment. Both are placeholders (G-BASE): set `baseUrl` to your service. */
export const ENVIRONMENTS: Readonly<Record<Environment, string>> = {
  production: "https://api.billing-service.example",
  sandbox: "https://sandbox-api.billing-service.example",
};

/**
 * An access token. For tokens that expire, pass a function that returns one: the client calls it before each attempt. After
 * a 401, the client calls it again with `renew`, and sends the request once more. Concurrent calls may renew at the same time:
 * return the same promise to all. It is called without `this`.
 */
export type AccessToken = string | ((request: TokenRequest) => string | Promise<string>);

/** The argument of the token function. */
export interface TokenRequest {
  /** Whether the service has just responded with 401. If so, fetch a new token instead of returning a cached one. */
  readonly renew: boolean;
}

/** The action for an unexpected response: throw an error, or return the response and log a warning. */
export type OnMismatch = "throw" | "warn";

/**
 * Receives log messages: `console`, or any logger whose methods expect the message first. The access token is redacted in
 * messages and details. A logger that throws does not affect the call.
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
 * Functions that the client calls around each attempt and at the end of each call, for logs, metrics and traces. None receives
 * the access token.
 *
 * The client waits for `onRequest`, within the timeout, and for `onRetry`. If one of them throws, the call fails with that error
 * and is not retried. The client does not wait for the others, and logs their errors as warnings.
 */
export interface Hooks {
  /** Called before an attempt is sent. May set headers; the client overwrites the token, the version and `Accept`. */
  onRequest?(attempt: AttemptFacts & { readonly headers: Headers }): void | Promise<void>;
  /** Called at the end of each attempt, including one that failed before it was sent. */
  onAttemptEnd?(attempt: AttemptFacts & Outcome): void;
  /** Called before the client waits for a retry. */
  onRetry?(attempt: AttemptFacts & { readonly error: Error }): void | Promise<void>;
  /** Called at the end of each call, except for a call with an invalid argument. */
  onCallEnd?(call: CallEnd): void;
}

/** Options that a client and each of its calls have. Those of a call override the client's. */
export interface SharedOptions {
  /** Maximum duration of one attempt, including the response body, in milliseconds. Defaults to 30,000. */
  readonly timeout?: number | undefined;
  /** Maximum duration of a whole call, in milliseconds, including delays between attempts. Defaults to none. */
  readonly totalTimeout?: number | undefined;
  /**
   * Maximum number of retries of an idempotent operation; others are retried only after a 429. With `0`, only a 401 is repeated,
   * once, if `accessToken` is a function. Defaults to 2.
   */
  readonly maxRetries?: number | undefined;
  /** Maximum size of a response body, in bytes after decompression. Of an error's, at most 1 MiB is read. Defaults to 32 MiB. */
  readonly maxResponseBytes?: number | undefined;
  /**
   * Additional headers. Those that the client sets are not allowed: `Authorization`, `Service-Version`, `Accept`, `Content-Type`.
   * With `Content-Encoding: gzip`, the client compresses request bodies.
   */
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** Options for one call. All are optional and override the client's. */
export interface CallOptions extends SharedOptions {
  /** Cancels the call. It fails with a `TimeoutError` after `AbortSignal.timeout()`, otherwise with an `AbortedError`. */
  readonly signal?: AbortSignal | undefined;
  /** Access token for this call. `undefined` is rejected, so that a call never falls back to the client's token. */
  readonly accessToken?: AccessToken;
}

/** The second argument of {@link FetchFunction}: options of `fetch` that every implementation knows. */
export interface FetchInit {
  /** The method, in upper case. */
  readonly method: string;
  /** All headers with lower-case names, including `authorization` with the access token. */
  readonly headers: Record<string, string>;
  /** The body as JSON, or its bytes if it is compressed; null if there is none. */
  readonly body: string | Uint8Array<ArrayBuffer> | null;
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
export interface ClientOptions extends SharedOptions {
  /** The token to send as `Authorization: Bearer <token>`. `createClient` throws if it is undefined, like an unset variable. */
  readonly accessToken: AccessToken | undefined;
  /** Base URL of the service, without `/v1`. Must be absolute, with `https:` or `http:`. Defaults to a placeholder. */
  readonly baseUrl?: string | URL | undefined;
  /** Selects a placeholder base URL (G-BASE). Has no effect with `baseUrl`. Defaults to `production`. */
  readonly environment?: Environment | undefined;
  /**
   * Function that sends the requests, called as `fetch(url, init)`. Defaults to the global `fetch`. Not allowed with `ky`. One
   * with a single parameter that does not read `init` in its first POST or PATCH is then called with a `Request`.
   */
  readonly fetch?: FetchFunction | undefined;
  /**
   * Your own instance of [ky](https://github.com/sindresorhus/ky) that makes the calls. Its hooks, `fetch` and headers apply.
   * The client sets everything else, such as the token, the version, retries and timeouts. Not allowed with `fetch`.
   */
  readonly ky?: KyInstance | undefined;
  /** Functions to call around each attempt and at the end of each call, without `this`. */
  readonly hooks?: Hooks | undefined;
  /** Receives a message for each attempt, retry and warning. Defaults to `console`. */
  readonly logger?: Logger | undefined;
  /** Minimum level of log messages. Defaults to `debug` with a `logger`, otherwise to `warn`. */
  readonly logLevel?: LogLevel | undefined;
  /** Action for a successful response that does not match the contract. Defaults to `warn`, once per operation and field. */
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
