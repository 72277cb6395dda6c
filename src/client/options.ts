/** An access token, or a function that is asked for one before each attempt (for tokens that expire). */
export type AccessToken = string | (() => string | Promise<string>);

/** Where the service is: `production` or `sandbox`. */
export type Environment = "production" | "sandbox";

/** What happens when an answer is not what was asked for: throw an error, warn through the logger, or nothing. */
export type OnMismatch = "throw" | "warn" | "ignore";

/** Receives what the client has to say; `console` fits. No message holds a token, and a logger that throws fails no call. */
export interface Logger {
  debug(message: string, details?: Readonly<Record<string, unknown>>): void;
  warn(message: string, details?: Readonly<Record<string, unknown>>): void;
}

/** One attempt of one call, as hooks see it. */
export interface Attempt {
  /** The operation's identifier, or `METHOD path` for `client.request`. */
  readonly operation: string;
  readonly method: string;
  /** The full address. */
  readonly url: string;
  /** Counts from 1. */
  readonly attempt: number;
}

/**
 * Functions that are called around each attempt, for logs, metrics and traces. They see no credential. One that throws ends
 * the call with what it threw, as it is, and the call is not tried again; the time-out covers them.
 */
export interface Hooks {
  /** Before an attempt is sent. Headers set here are sent, but those that the client owns cannot be set. */
  onRequest?(attempt: Attempt & { readonly headers: Headers }): void | Promise<void>;
  /** After the headers of a response have arrived. */
  onResponse?(
    attempt: Attempt & { readonly status: number; readonly headers: Headers; readonly duration: number },
  ): void | Promise<void>;
  /** Before the client waits to try again; `delay` in milliseconds. */
  onRetry?(attempt: Attempt & { readonly error: Error; readonly delay: number }): void | Promise<void>;
}

/** What every call can set for itself. */
export interface CallOptions {
  /** Ends the call early; it then fails with an AbortedError. */
  readonly signal?: AbortSignal | undefined;
  /** How long one attempt may take, its body included, in milliseconds. */
  readonly timeout?: number | undefined;
  /** How often the call is tried again; 0 makes one attempt. */
  readonly maxRetries?: number | undefined;
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
  /** Sends the requests in place of the global `fetch`; `mock.fetch` fits. Its `Request` holds the token. */
  readonly fetch?: ((request: Request) => Promise<Response>) | undefined;
  /** Headers for every request. `Service-Version`, `Authorization`, `Accept` and `Content-Type` belong to the client. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  readonly hooks?: Hooks | undefined;
  /** Where warnings go; nowhere by default, but `warn` below goes to `console` then. */
  readonly logger?: Logger | undefined;
  /** When an answer does not fit the contract; `throw` by default. */
  readonly onResponseMismatch?: OnMismatch | undefined;
  /** When another version answered than the one asked for; `throw` by default. */
  readonly onVersionMismatch?: OnMismatch | undefined;
}
