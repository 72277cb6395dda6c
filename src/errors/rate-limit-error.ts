import { ApiError, type ApiErrorOptions } from "./api-error.ts";
import { isBillingError } from "./billing-error.ts";

/** Means that the service responded with 429 (too many requests). */
export class RateLimitError extends ApiError<429, undefined, "RateLimitError"> {
  override readonly name = "RateLimitError";
  /** The value of `Retry-After`, in seconds; undefined if it is missing. */
  readonly retryAfter: number | undefined;

  constructor(options: ApiErrorOptions<429, undefined> & { readonly retryAfter: number | undefined }) {
    super(options);
    this.retryAfter = options.retryAfter;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), retryAfter: this.retryAfter };
  }
}

/** Returns whether a value is a {@link RateLimitError}, from any copy of the package. */
export function isRateLimitError(value: unknown): value is RateLimitError {
  return isBillingError(value) && value.name === "RateLimitError";
}
