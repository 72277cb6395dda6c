import { BillingError, type BillingErrorOptions, type ErrorGuard, guardOf } from "./billing-error.ts";

/**
 * The request or the response was lost, for example because the host is unknown or the connection was reset.
 * `cause` is the underlying error.
 *
 * @remarks Check the base URL and the connection; behind a company's proxy, also its certificate. Otherwise, try again later.
 * The request may have been processed.
 */
export class NetworkError extends BillingError {
  override readonly name = "NetworkError";
  /** True if the client has no `baseUrl` and therefore called a placeholder: a retry cannot succeed. Otherwise undefined. */
  declare readonly isPlaceholder?: true;

  constructor(message: string, options: BillingErrorOptions & { readonly isPlaceholder?: boolean } = {}) {
    super(message, options);
    if (options.isPlaceholder === true) this.isPlaceholder = true;
  }
}

/** Returns whether a value is a {@link NetworkError} thrown by any installed copy of the package. */
export const isNetworkError: ErrorGuard<NetworkError> = /* @__PURE__ */ guardOf("NetworkError");

/**
 * No complete response arrived within `timeout`, or your `AbortSignal.timeout()` expired.
 *
 * @remarks Try again later, or raise `timeout`. The request may have been processed.
 */
export class TimeoutError extends BillingError {
  override readonly name = "TimeoutError";
  /** The timeout of the attempt, in milliseconds; undefined if your signal expired. */
  readonly timeout: number | undefined;

  constructor(message: string, options: BillingErrorOptions & { readonly timeout: number | undefined }) {
    super(message, options);
    this.timeout = options.timeout;
  }
}

/** Returns whether a value is a {@link TimeoutError} thrown by any installed copy of the package. */
export const isTimeoutError: ErrorGuard<TimeoutError> = /* @__PURE__ */ guardOf("TimeoutError");

/**
 * Your signal aborted the call. `cause` is the signal's reason.
 *
 * @remarks Nothing to do if you cancelled the call. The request may have been processed.
 */
export class AbortedError extends BillingError {
  override readonly name = "AbortedError";
}

/** Returns whether a value is an {@link AbortedError} thrown by any installed copy of the package. */
export const isAbortedError: ErrorGuard<AbortedError> = /* @__PURE__ */ guardOf("AbortedError");

/**
 * Your `accessToken` function failed. `cause` is the error that it threw.
 *
 * @remarks Read `cause`: if it is temporary, try again later; otherwise, fix it. The attempt was not sent.
 */
export class AccessTokenError extends BillingError {
  override readonly name = "AccessTokenError";
}

/** Returns whether a value is an {@link AccessTokenError} thrown by any installed copy of the package. */
export const isAccessTokenError: ErrorGuard<AccessTokenError> = /* @__PURE__ */ guardOf("AccessTokenError");

/** One mismatch between a response and the contract. */
export interface Mismatch {
  /** The path in the body, for example `events[0]`; empty for the whole body. */
  readonly path: string;
  /** The problem, for example `expected string, received number`. */
  readonly message: string;
}

/**
 * A successful response does not match the contract: it is not JSON, or has another shape.
 *
 * @remarks Read `mismatches`, and check whether a proxy changed the response. To accept such responses, set
 * `onResponseMismatch` to `warn`.
 */
export class ResponseMismatchError extends BillingError {
  override readonly name = "ResponseMismatchError";
  readonly #data: unknown;
  /** The mismatches, at most the first 100. */
  readonly mismatches: readonly Mismatch[];
  /** The HTTP status. */
  readonly status: number;
  /** The version that processed the request; undefined if the response names none. */
  readonly version: string | undefined;

  constructor(
    message: string,
    options: BillingErrorOptions & Pick<ResponseMismatchError, "mismatches" | "data" | "status" | "version">,
  ) {
    super(message, options);
    this.mismatches = options.mismatches;
    this.status = options.status;
    this.version = options.version;
    this.#data = options.data;
  }

  /** The body as received, with its secrets: parsed JSON, otherwise text. It is neither printed nor part of the JSON. */
  get data(): unknown {
    return this.#data;
  }
}

/** Returns whether a value is a {@link ResponseMismatchError} thrown by any installed copy of the package. */
export const isResponseMismatchError: ErrorGuard<ResponseMismatchError> =
  /* @__PURE__ */ guardOf("ResponseMismatchError");

/**
 * A version other than the requested one processed the request or sent the webhook.
 *
 * @remarks Compare `expected` and `received`, and use the client of the version that the service supports. To accept
 * responses of another version, set `onVersionMismatch` to `warn`; for a webhook, list the version in `versions`.
 */
export class VersionMismatchError extends BillingError {
  override readonly name = "VersionMismatchError";
  readonly #data: unknown;
  /** The requested version. */
  readonly expected: string;
  /** The version that processed the request; undefined if the response names none. */
  readonly received: string | undefined;
  /** The HTTP status of the response; undefined for a webhook. */
  declare readonly status?: number;

  constructor(
    message: string,
    options: BillingErrorOptions &
      Pick<VersionMismatchError, "expected" | "received" | "status"> & { readonly data?: unknown },
  ) {
    super(message, options);
    this.expected = options.expected;
    this.received = options.received;
    if (options.status !== undefined) this.status = options.status;
    this.#data = options.data;
  }

  /** The body of the response as received; undefined for a webhook. It is neither printed nor part of the JSON. */
  get data(): unknown {
    return this.#data;
  }
}

/** Returns whether a value is a {@link VersionMismatchError} thrown by any installed copy of the package. */
export const isVersionMismatchError: ErrorGuard<VersionMismatchError> = /* @__PURE__ */ guardOf("VersionMismatchError");

/**
 * The body of a successful response is larger than `maxResponseBytes`, or has more than 1,000,000 names and values. The rest was
 * not read, and the call was not retried.
 *
 * @remarks Raise `maxResponseBytes`, or request less data, for example smaller pages.
 */
export class ResponseTooLargeError extends BillingError {
  override readonly name = "ResponseTooLargeError";
  /** The HTTP status. */
  readonly status: number;
  /** The limit, in bytes after decompression. */
  readonly maxResponseBytes: number;

  constructor(
    message: string,
    options: BillingErrorOptions & Pick<ResponseTooLargeError, "status" | "maxResponseBytes">,
  ) {
    super(message, options);
    this.status = options.status;
    this.maxResponseBytes = options.maxResponseBytes;
  }
}

/** Returns whether a value is a {@link ResponseTooLargeError} thrown by any installed copy of the package. */
export const isResponseTooLargeError: ErrorGuard<ResponseTooLargeError> =
  /* @__PURE__ */ guardOf("ResponseTooLargeError");

/** Options of {@link InvalidInputError}. */
interface InvalidInputErrorOptions extends BillingErrorOptions {
  /** The function that was called, where it is not an operation. Defaults to `createClient`. */
  readonly caller?: string;
  /** The words in front of the problem. Defaults to the path. */
  readonly subject?: string;
}

/**
 * An argument or an option is invalid, or your own `fetch`, hook or token function returned or
 * set something invalid.
 *
 * @remarks Fix what `path` names; the message says what was received and what is valid.
 */
export class InvalidInputError extends BillingError {
  override readonly name = "InvalidInputError";
  /** The invalid argument, for example `accessToken`, `path.id` or `headers["X-Trace"]`. */
  readonly path: string;
  /** The end of the message, after the path, for example `must be an integer from 0 to 10; received -1`. */
  readonly problem: string;

  constructor(path: string, problem: string, options: InvalidInputErrorOptions = {}) {
    const { operation, caller = "createClient", subject = path } = options;
    super(`${operation ?? caller}: ${subject} ${problem}`, options);
    this.path = path;
    this.problem = problem;
  }
}

/** Returns whether a value is an {@link InvalidInputError} thrown by any installed copy of the package. */
export const isInvalidInputError: ErrorGuard<InvalidInputError> = /* @__PURE__ */ guardOf("InvalidInputError");
