import { BillingError, type BillingErrorOptions, isBillingError } from "./billing-error.ts";

/** Means that the request or response was lost: connection refused or reset, unknown host. `cause` is the underlying error. */
export class NetworkError extends BillingError {
  override readonly name = "NetworkError";
}

/** Returns whether a value is a {@link NetworkError}, from any copy of the package. */
export function isNetworkError(value: unknown): value is NetworkError {
  return isBillingError(value) && value.name === "NetworkError";
}

/** Means that no complete response arrived within `timeout`, or that the caller's `AbortSignal.timeout()` expired. */
export class TimeoutError extends BillingError {
  override readonly name = "TimeoutError";
  /** The timeout of the attempt, in milliseconds; undefined if the caller's signal expired. */
  readonly timeout: number | undefined;

  constructor(message: string, options: BillingErrorOptions & { readonly timeout: number | undefined }) {
    super(message, options);
    this.timeout = options.timeout;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), timeout: this.timeout };
  }
}

/** Returns whether a value is a {@link TimeoutError}, from any copy of the package. */
export function isTimeoutError(value: unknown): value is TimeoutError {
  return isBillingError(value) && value.name === "TimeoutError";
}

/** Means that the caller's signal aborted the call. `cause` is the signal's reason. */
export class AbortedError extends BillingError {
  override readonly name = "AbortedError";
}

/** Returns whether a value is an {@link AbortedError}, from any copy of the package. */
export function isAbortedError(value: unknown): value is AbortedError {
  return isBillingError(value) && value.name === "AbortedError";
}
