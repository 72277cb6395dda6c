import { BillingError, type BillingErrorOptions, isBillingError } from "./billing-error.ts";

/**
 * Means that the body of a response is longer than `maxResponseBytes`, regardless of its status. The rest was not read, and
 * the call was not retried.
 */
export class ResponseTooLargeError extends BillingError {
  override readonly name = "ResponseTooLargeError";
  /** The HTTP status. */
  readonly status: number;
  /** The limit, in bytes after decompression. */
  readonly maxResponseBytes: number;

  constructor(
    message: string,
    options: BillingErrorOptions & { readonly status: number; readonly maxResponseBytes: number },
  ) {
    super(message, options);
    this.status = options.status;
    this.maxResponseBytes = options.maxResponseBytes;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), status: this.status, maxResponseBytes: this.maxResponseBytes };
  }
}

/** Returns whether a value is a {@link ResponseTooLargeError}, from any copy of the package. */
export function isResponseTooLargeError(value: unknown): value is ResponseTooLargeError {
  return isBillingError(value) && value.name === "ResponseTooLargeError";
}
