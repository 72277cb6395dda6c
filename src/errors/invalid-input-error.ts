import { BillingError, type BillingErrorOptions, isBillingError } from "./billing-error.ts";

/** Options of {@link InvalidInputError}. */
export interface InvalidInputErrorOptions extends BillingErrorOptions {
  /** The function that was called, where it is not an operation. Defaults to `createClient`. */
  readonly caller?: string;
  /** The words in front of the problem. Defaults to the path. */
  readonly subject?: string;
}

/**
 * Means that an argument or an option is invalid, or that your own `fetch`, `transport`, hook or token function returned or
 * set something invalid. Fix what `path` names.
 */
export class InvalidInputError extends BillingError {
  override readonly name = "InvalidInputError";
  /** The invalid argument, for example `accessToken`, `path.id` or `headers["X-Trace"]`. */
  readonly path: string;

  constructor(path: string, problem: string, options: InvalidInputErrorOptions = {}) {
    const { operation, caller = "createClient", subject = path } = options;
    super(`${operation ?? caller}: ${subject} ${problem}`, options);
    this.path = path;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), path: this.path };
  }
}

/** Returns whether a value is an {@link InvalidInputError}, from any copy of the package. */
export function isInvalidInputError(value: unknown): value is InvalidInputError {
  return isBillingError(value) && value.name === "InvalidInputError";
}
