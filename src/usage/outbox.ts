import { BillingError, type ErrorGuard, guardOf } from "../errors/billing-error.ts";
import type { UsageEvent } from "./event.ts";

/** An event to store. */
export interface NewOutboxEvent {
  /** The event as a JSON string. It has an `external_id`. */
  readonly json: string;
  /** The size of `json` in UTF-8, in bytes. */
  readonly bytes: number;
}

/** An event in the outbox. A buffer passes the same object back to the outbox. */
export interface OutboxEvent extends NewOutboxEvent {
  /** The identifier that the outbox assigned. It is unique in the outbox. */
  readonly id: string;
}

/** Limits for {@link Outbox.take}. */
export interface TakeLimit {
  /** Maximum number of events. */
  readonly events: number;
  /** Maximum total size of the events, in bytes. A larger event is returned in a batch of its own. */
  readonly bytes: number;
}

/** The contents of an outbox. */
export interface OutboxState {
  /** Number of events that are not confirmed, including leased ones. */
  readonly events: number;
  /** The time at which the oldest of them was appended, in milliseconds since 1970; undefined if there is none. */
  readonly oldest: number | undefined;
  /**
   * The positions of the oldest and the newest event: numbers that never decrease from one append to the next, for example
   * row ids. `flush` resolves when every event up to the position that was newest when it was called is removed; without
   * positions, when the outbox is empty.
   */
  readonly positions?: readonly [oldest: number, newest: number] | undefined;
}

/**
 * Stores usage events from the time they are added until the service has stored them. An event is delivered at least once: if
 * it was sent but not confirmed, it is sent again, and the service is assumed to count it as a duplicate (G-EVT-DUP).
 *
 * To write your own outbox, implement this interface. If a method fails, it must reject with an {@link OutboxError}; the buffer
 * calls it again. A failed call must have no effect, unless the outbox cannot know, for example after a lost connection: then
 * it may have had its full effect. If `take` returns an event whose `json` is not a string, the buffer reports a `TypeError`, and
 * the event stays in the outbox and blocks those after it.
 */
export interface Outbox {
  /**
   * Whether events survive the end of the process. If so, events that a closed buffer has not sent stay in the outbox;
   * otherwise, the buffer reports them as lost. Defaults to false.
   */
  readonly durable?: boolean | undefined;
  /**
   * The duration of a lease in milliseconds. A lease that is not extended in time ends, and its events are available again,
   * to any buffer that shares the outbox. If undefined, leases last until `close` or a crash.
   */
  readonly leaseDuration?: number | undefined;
  /**
   * Interval at which a buffer looks for events from other processes or with an expired lease, in milliseconds. Leave it
   * undefined if only the process that opened the outbox appends to it.
   */
  readonly pollInterval?: number | undefined;

  /** Called once, when a buffer starts. Resolves with a warning for its log if the storage may lose events. */
  check?(): Promise<string | undefined>;
  /** Stores all events or none. When the promise resolves, they are as durable as the outbox promises. */
  append(events: readonly NewOutboxEvent[]): Promise<void>;
  /** Leases the oldest available events. Until a lease ends, no other call returns its events. Empty if none is available. */
  take(limit: TakeLimit): Promise<readonly OutboxEvent[]>;
  /** Restarts the leases of events. Ignores events that are already removed. Required if `leaseDuration` is set. */
  extend?(events: readonly OutboxEvent[]): Promise<void>;
  /** Removes events that the service stored or rejected, or that were dropped. Ignores events that are already removed. */
  confirm(events: readonly OutboxEvent[]): Promise<void>;
  /** Ends the leases of events, so that they are available again. Ignores events that are already removed. */
  release(events: readonly OutboxEvent[]): Promise<void>;
  /** Returns the number of events, the age of the oldest, and their positions. */
  state(): Promise<OutboxState>;
  /** Releases every event that this object has leased, and closes it. Later calls of any method except `close` reject. */
  close(): Promise<void>;
}

/** The reason for an {@link OutboxError}. */
export type OutboxErrorReason = "closed" | "unsupported" | "in-use" | "foreign" | "corrupt" | "full" | "unavailable";

/**
 * An outbox could not read or write events. The events that it stored before are still there.
 *
 * - `closed`: the outbox is closed.
 * - `unsupported`: the runtime lacks what the outbox needs.
 * - `in-use`: the same storage is already open, in this process or another, and only one outbox may use it at a time.
 * - `foreign`: the storage belongs to another program, or its file was moved.
 * - `corrupt`: the storage is damaged.
 * - `full`: the outbox has reached its limit, or the disk is full.
 * - `unavailable`: anything else, for example a missing permission or a lost connection. See `cause`.
 *
 * @remarks Fix the cause that `reason` and the message name. The buffer keeps trying. An event whose `add` rejected may
 * not be stored. With `unavailable`, it may be: add `event` again, which has its `external_id`, so that it counts once.
 */
export class OutboxError extends BillingError {
  override readonly name = "OutboxError";
  /** The reason, for programs. */
  readonly reason: OutboxErrorReason;
  /** The event of an `add` that may have stored it, with its `external_id`; otherwise undefined. It is not printed. */
  declare readonly event?: UsageEvent;

  /**
   * Creates the error that an outbox of your own throws.
   *
   * @param message What failed, starting with the name of the outbox.
   * @param options.cause The error of the storage's driver.
   */
  constructor(
    reason: OutboxErrorReason,
    message: string,
    options: { readonly cause?: unknown; readonly event?: UsageEvent } = {},
  ) {
    super(message, options);
    this.reason = reason;
    if (options.event !== undefined) Object.defineProperty(this, "event", { value: options.event });
  }
}

/** Returns whether a value is an {@link OutboxError} thrown by any installed copy of the package. */
export const isOutboxError: ErrorGuard<OutboxError> = /* @__PURE__ */ guardOf("OutboxError");
