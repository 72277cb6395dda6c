import { BillingError, type BillingErrorOptions, isBillingError } from "./billing-error.ts";

/** One mismatch between a response and the contract. */
export interface Mismatch {
  /** The path in the body, for example `events[0]`; empty for the whole body. */
  readonly path: string;
  /** The problem, for example `expected string, received number`. */
  readonly message: string;
}

/** Means that a successful response does not match the contract: it is not JSON, or has another shape. */
export class ResponseMismatchError extends BillingError {
  override readonly name = "ResponseMismatchError";
  /** The mismatches, at most the first 100. */
  readonly mismatches: readonly Mismatch[];
  /**
   * The body: parsed JSON, otherwise text. The access token and webhook secrets are redacted. It is not printed.
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

/** Returns whether a value is a {@link ResponseMismatchError}, from any copy of the package. */
export function isResponseMismatchError(value: unknown): value is ResponseMismatchError {
  return isBillingError(value) && value.name === "ResponseMismatchError";
}

/** Means that a different version from the one requested processed the request, or sent the webhook. */
export class VersionMismatchError extends BillingError {
  override readonly name = "VersionMismatchError";
  /** The requested version. */
  readonly expected: string;
  /** The version that processed the request; undefined if the response names none. */
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

/** Returns whether a value is a {@link VersionMismatchError}, from any copy of the package. */
export function isVersionMismatchError(value: unknown): value is VersionMismatchError {
  return isBillingError(value) && value.name === "VersionMismatchError";
}
