import { BillingError, type BillingErrorOptions, isBillingError } from "./billing-error.ts";

/** The request or its answer was lost: refused, reset, cut short, an unknown host. `cause` holds the failure behind it. */
export class NetworkError extends BillingError {
  override readonly name = "NetworkError";
}

/** Whether a value is a {@link NetworkError}, from any copy of the package. */
export function isNetworkError(value: unknown): value is NetworkError {
  return isBillingError(value) && value.name === "NetworkError";
}

/** No complete answer came within `timeout`, or the caller's `AbortSignal.timeout()` ended the call. */
export class TimeoutError extends BillingError {
  override readonly name = "TimeoutError";
  /** The time that an attempt was given, in milliseconds; undefined when the caller's signal set the limit. */
  readonly timeout: number | undefined;

  constructor(message: string, options: BillingErrorOptions & { readonly timeout: number | undefined }) {
    super(message, options);
    this.timeout = options.timeout;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), timeout: this.timeout };
  }
}

/** Whether a value is a {@link TimeoutError}, from any copy of the package. */
export function isTimeoutError(value: unknown): value is TimeoutError {
  return isBillingError(value) && value.name === "TimeoutError";
}

/** The caller's signal ended the call, and not because a time was over. `cause` holds the signal's reason. */
export class AbortedError extends BillingError {
  override readonly name = "AbortedError";
}

/** Whether a value is an {@link AbortedError}, from any copy of the package. */
export function isAbortedError(value: unknown): value is AbortedError {
  return isBillingError(value) && value.name === "AbortedError";
}
