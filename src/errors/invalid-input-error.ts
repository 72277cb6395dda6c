import { BillingError, type BillingErrorOptions, isBillingError } from "./billing-error.ts";

/** What the caller handed over cannot be sent. Nothing was sent. */
export class InvalidInputError extends BillingError {
  override readonly name = "InvalidInputError";
  /** Where the problem is, for example `accessToken`, `path.id` or `headers["X-Trace"]`. */
  readonly path: string;

  constructor(path: string, problem: string, options: BillingErrorOptions = {}) {
    super(`${options.operation === undefined ? "" : `${options.operation}: `}${path} ${problem}`, options);
    this.path = path;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), path: this.path };
  }
}

/** Whether a value is an {@link InvalidInputError}, from any copy of the package. */
export function isInvalidInputError(value: unknown): value is InvalidInputError {
  return isBillingError(value) && value.name === "InvalidInputError";
}
