import { BillingError, isBillingError } from "../../errors/index.ts";

/** The reasons of an {@link EventBufferError}. */
export type EventBufferErrorReason = "closed" | "full" | "unsent";

/**
 * Means that an event buffer could not accept or send an event.
 *
 * - `closed`: `add` was called after `close`, or `close` ended its wait for room. The event is not stored, unless the outbox
 *   itself was full: then it may be.
 * - `full`: `maxQueued` events are queued or the outbox has no room, and `whenFull` is `reject`; or dropping events did not
 *   make room in the outbox. The event is not stored.
 * - `unsent`: `close` ended before every event was sent, and the outbox is not durable. The events are lost.
 */
export class EventBufferError extends BillingError {
  override readonly name = "EventBufferError";
  readonly reason: EventBufferErrorReason;

  constructor(reason: EventBufferErrorReason, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.reason = reason;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), reason: this.reason };
  }
}

/** Returns whether a value is an {@link EventBufferError}, from any copy of the package. */
export function isEventBufferError(value: unknown): value is EventBufferError {
  return isBillingError(value) && value.name === "EventBufferError";
}
