import { BillingError, type BillingErrorOptions, isBillingError } from "./billing-error.ts";

/** One place where an answer does not fit the contract. */
export interface Mismatch {
  /** Where, for example `events[0]`; empty for the whole body. */
  readonly path: string;
  /** What is wrong there. */
  readonly message: string;
}

/** The answer reports success, but it is not what the contract promises: not JSON, or of another shape. */
export class ResponseMismatchError extends BillingError {
  override readonly name = "ResponseMismatchError";
  /** The places that do not fit, at most the first 100. */
  readonly mismatches: readonly Mismatch[];
  /**
   * The body: parsed JSON, else text; the access token and webhook secrets in it are replaced. It is not printed.
   */
  declare readonly value: unknown;
  /** The HTTP status. */
  readonly status: number;

  constructor(
    message: string,
    options: BillingErrorOptions & {
      readonly mismatches: readonly Mismatch[];
      readonly value: unknown;
      readonly status: number;
    },
  ) {
    super(message, options);
    this.mismatches = options.mismatches;
    this.status = options.status;
    Object.defineProperty(this, "value", { value: options.value, enumerable: false });
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), status: this.status, mismatches: this.mismatches };
  }
}

/** Whether a value is a {@link ResponseMismatchError}, from any copy of the package. */
export function isResponseMismatchError(value: unknown): value is ResponseMismatchError {
  return isBillingError(value) && value.name === "ResponseMismatchError";
}

/** Another version answered than the one that the client asked for. */
export class VersionMismatchError extends BillingError {
  override readonly name = "VersionMismatchError";
  /** The version asked for. */
  readonly expected: string;
  /** The version that answered; undefined when the answer names none. */
  readonly received: string | undefined;

  constructor(
    message: string,
    options: BillingErrorOptions & { readonly expected: string; readonly received: string | undefined },
  ) {
    super(message, options);
    this.expected = options.expected;
    this.received = options.received;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), expected: this.expected, received: this.received };
  }
}

/** Whether a value is a {@link VersionMismatchError}, from any copy of the package. */
export function isVersionMismatchError(value: unknown): value is VersionMismatchError {
  return isBillingError(value) && value.name === "VersionMismatchError";
}
