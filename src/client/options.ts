/**
 * An access token, or a function that is asked for one before each attempt (for tokens that expire). After a 401 the
 * function is asked again, with `renew`, and the call is tried once more.
 */
export type AccessToken = string | ((request: TokenRequest) => string | Promise<string>);

/** What the function that gives the access token is told. */
export interface TokenRequest {
  /** True when the service has just answered 401: fetch a new token, and do not answer from a cache. */
  readonly renew: boolean;
}

/** Where the service is: `production` or `sandbox`. */
export type Environment = "production" | "sandbox";

/** What happens when an answer is not what was asked for: throw an error, warn through the logger, or nothing. */
export type OnMismatch = "throw" | "warn" | "ignore";

/**
 * Receives what the client has to say. `console` fits, and so does every logger with these methods; pino and bunyan, which
 * take the details first, are recognized. No message holds a token, and a logger that throws fails no call.
 */
export interface Logger {
  debug(message: string, details?: Readonly<Record<string, unknown>>): void;
  warn(message: string, details?: Readonly<Record<string, unknown>>): void;
}

/** The least important message that a logger gets: `debug` for all, `warn` for warnings only, `off` for none. */
export type LogLevel = "debug" | "warn" | "off";

/** A call, as hooks see it. */
export interface CallFacts {
  /** Identifies the call; its attempts share it, and no other call has it. */
  readonly callId: string;
  /** The operation's identifier, or `METHOD path` for `client.request`. */
  readonly operation: string;
  readonly method: string;
  /** The full address. */
  readonly url: string;
}

/** One attempt of one call, as hooks see it. */
export interface Attempt extends CallFacts {
  /** Identifies the attempt; no other attempt has it. */
  readonly attemptId: string;
  /** Counts from 1. */
  readonly attempt: number;
}

/** How an attempt or a call ended. */
export interface Outcome {
  /** The time from its start to its end, in milliseconds: token, hooks and body included, for a call also the waits. */
  readonly duration: number;
  /** The HTTP status of the (last) answer; undefined when none arrived. */
  readonly status: number | undefined;
  /** What it failed with; undefined when it succeeded. */
  readonly error: Error | undefined;
}

/** The end of a call, as hooks see it. */
export interface CallEnd extends CallFacts, Outcome {
  /** How many attempts were made; 0 when the caller's signal had aborted before. */
  readonly attempts: number;
}

/**
 * Functions that are called around each attempt and at the end of each call, for logs, metrics and traces. They see no
 * credential.
 *
 * The client waits for `onRequest`, `onResponse` and `onRetry`, within the timeout. One that throws ends the call with
 * what it threw, as it is, and the call is not tried again. `onAttemptEnd` and `onCallEnd` only observe: nobody waits for
 * them, and what they throw is logged as a warning.
 */
export interface Hooks {
  /** Before an attempt is sent. Headers set here are sent, but those that the client owns cannot be set. */
  onRequest?(attempt: Attempt & { readonly headers: Headers }): void | Promise<void>;
  /** After the headers of a response have arrived. `duration` counts from the moment when the request was sent. */
  onResponse?(
    attempt: Attempt & { readonly status: number; readonly headers: Headers; readonly duration: number },
  ): void | Promise<void>;
  /** At the end of each attempt, whether it succeeded or failed, also one that failed before it was sent. */
  onAttemptEnd?(attempt: Attempt & Outcome): void;
  /** Before the client waits to try again; `delay` in milliseconds. */
  onRetry?(attempt: Attempt & { readonly error: Error; readonly delay: number }): void | Promise<void>;
  /** At the end of each call, whether it succeeded or failed. A call with an invalid argument never begins. */
  onCallEnd?(call: CallEnd): void;
}

/** What every call can set for itself. */
export interface CallOptions {
  /** Ends the call early: with a TimeoutError where it is an `AbortSignal.timeout()`, else with an AbortedError. */
  readonly signal?: AbortSignal | undefined;
  /** How long one attempt may take, its body included, in milliseconds. */
  readonly timeout?: number | undefined;
  /** How often the call is tried again; 0 makes one attempt. */
  readonly maxRetries?: number | undefined;
  /** The most bytes that the body of an answer may have, after decompression. */
  readonly maxResponseBytes?: number | undefined;
  /** More headers. `Service-Version`, `Authorization`, `Accept` and `Content-Type` belong to the client. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Another token for this call. `undefined` is refused, so that it never turns into the client's. */
  readonly accessToken?: AccessToken;
}

/** What a client is made with. */
export interface ClientOptions {
  /** The token sent as `Authorization: Bearer <token>`. `undefined` is refused by a clear error, so that an environment variable can be passed as it is. */
  readonly accessToken: AccessToken | undefined;
  /** `production` by default. */
  readonly environment?: Environment | undefined;
  /** Another base address, in place of an environment: absolute, `https:` or `http:`. */
  readonly baseUrl?: string | URL | undefined;
  /** How long one attempt may take, its body included, in milliseconds; 30,000 by default. */
  readonly timeout?: number | undefined;
  /**
   * How often a call is tried again; 2 by default. Operations that are safe to repeat are tried again after network
   * failures, time-outs, 408, 429, 500, 502, 503 and 504, all others after 429 alone.
   *
   * The wait is a random part of 500 ms, doubling up to 8 s, or what the service asks for by `Retry-After`. Where it asks
   * for more than 60 s, the call fails at once.
   */
  readonly maxRetries?: number | undefined;
  /**
   * The most bytes that the body of an answer may have, after decompression; 33,554,432 (32 MiB) by default. A longer one
   * fails with a ResponseTooLargeError, is not read to its end and not asked for again.
   */
  readonly maxResponseBytes?: number | undefined;
  /** Sends the requests in place of the global `fetch`; `mock.fetch` fits. Its `Request` holds the token. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Headers for every request. `Service-Version`, `Authorization`, `Accept` and `Content-Type` belong to the client. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly hooks?: Hooks | undefined;
  /** Receives a line for each attempt, each retry and each warning. By default warnings go to `console`, and nothing else. */
  readonly logger?: Logger | undefined;
  /** The least important message that the logger gets; `debug` by default. */
  readonly logLevel?: LogLevel | undefined;
  /** When an answer does not fit the contract; `throw` by default. */
  readonly onResponseMismatch?: OnMismatch | undefined;
  /** When another version answered than the one asked for; `throw` by default. */
  readonly onVersionMismatch?: OnMismatch | undefined;
}

/** Options for `client.request`, in addition to the call options. */
export interface RequestOptions extends CallOptions {
  /** Query parameters; an array repeats the name. */
  readonly query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>> | undefined;
  /** A value to send as JSON. */
  readonly body?: unknown;
  /** Whether sending the request twice does no more than once, so that it may be retried; true for GET alone by default. */
  readonly repeatable?: boolean | undefined;
}
