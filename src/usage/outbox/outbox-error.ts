import { BillingError, isBillingError } from "../../errors/index.ts";

/** The reasons of an {@link OutboxError}. */
export type OutboxErrorReason = "closed" | "unsupported" | "in-use" | "foreign" | "corrupt" | "full" | "unavailable";

/**
 * Means that an outbox could not read or write its events. The events that it stored before are still there.
 *
 * - `closed`: the outbox was closed before.
 * - `unsupported`: the runtime lacks what the outbox needs.
 * - `in-use`: another process has opened the same storage, which only one may use at a time.
 * - `foreign`: the storage belongs to another program, or to a newer version of this package.
 * - `corrupt`: the storage is damaged.
 * - `full`: the outbox has reached its limit, or the disk is full.
 * - `unavailable`: anything else, for example a missing permission or a lost connection. See `cause`.
 */
export class OutboxError extends BillingError {
  override readonly name = "OutboxError";
  readonly reason: OutboxErrorReason;

  constructor(reason: OutboxErrorReason, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.reason = reason;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), reason: this.reason };
  }
}

/** Returns whether a value is an {@link OutboxError}, from any copy of the package. */
export function isOutboxError(value: unknown): value is OutboxError {
  return isBillingError(value) && value.name === "OutboxError";
}
