import { BillingError, isBillingError } from "../errors/index.ts";

/** An event to store. */
export interface OutboxEvent {
  /** The event as JSON. It has an `external_id`. */
  readonly json: string;
  /** The size of `json` in UTF-8, in bytes. */
  readonly bytes: number;
}

/** A stored event. Pass the same object back to the outbox. */
export interface OutboxEntry extends OutboxEvent {
  /** The identifier that the outbox gave the event. It is unique in the outbox. */
  readonly id: string;
}

/** Limits for {@link Outbox.take}. */
export interface TakeLimit {
  /** Maximum number of events. */
  readonly events: number;
  /** Maximum size of the events, in bytes. An event that alone is larger is returned alone. */
  readonly bytes: number;
}

/** The contents of an outbox. */
export interface OutboxState {
  /** Number of events that are not confirmed, including leased ones. */
  readonly events: number;
  /** The time at which the oldest of them was appended, in milliseconds since 1970; undefined if there is none. */
  readonly oldest: number | undefined;
  /**
   * The positions of the oldest and of the newest of them: numbers that never decrease from one append to the next, for
   * example row ids. `flush` ends when every event up to the newest of its call is removed; without positions, when the
   * outbox is empty.
   */
  readonly positions?: readonly [oldest: number, newest: number] | undefined;
}

/**
 * Stores usage events from the moment they are added until the service has stored them. An event is delivered at least
 * once: if it was sent but not confirmed, it is sent again, and the service counts it as a duplicate.
 *
 * To write your own, implement this interface. A method that fails rejects with an {@link OutboxError}, and the buffer calls
 * it again. It then has no effect; only if the outbox cannot know, for example after a lost connection, it may have its full
 * effect.
 */
export interface Outbox {
  /**
   * Whether events outlive the process. If so, closing a buffer may leave events behind, to be sent later; otherwise the
   * buffer reports them as lost. Defaults to false.
   */
  readonly durable?: boolean | undefined;
  /**
   * The duration of a lease in milliseconds. If it is set, a lease that is not extended in time ends, and the events are
   * available again: to any shipper if several share the outbox. If undefined, leases last until `close` or a crash.
   */
  readonly leaseDuration?: number | undefined;
  /**
   * Interval at which a buffer looks for events from other processes or with an expired lease, in milliseconds. Leave it
   * undefined if only the process that opened the outbox appends to it.
   */
  readonly pollInterval?: number | undefined;

  /** Stores events: all of them or none. They are as durable as the outbox promises when the promise resolves. */
  append(events: readonly OutboxEvent[]): Promise<void>;
  /** Leases the oldest available events. Until a lease ends, no other call returns its events. Empty if none is available. */
  take(limit: TakeLimit): Promise<readonly OutboxEntry[]>;
  /** Restarts the leases of events. Ignores events that are already removed. Required if `leaseDuration` is set. */
  extend?(entries: readonly OutboxEntry[]): Promise<void>;
  /** Removes events that are stored by the service, rejected or dropped. Ignores events that are already removed. */
  confirm(entries: readonly OutboxEntry[]): Promise<void>;
  /** Ends the leases of events, so that they are available again. Ignores events that are already removed. */
  release(entries: readonly OutboxEntry[]): Promise<void>;
  /** Returns the number of events, the age of the oldest, and their positions. */
  state(): Promise<OutboxState>;
  /** Releases every event leased by this object, and closes it. Later calls of other methods reject; `close` may repeat. */
  close(): Promise<void>;
}

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
 *
 * @remarks Fix what `reason` and the message name. The buffer keeps trying; an event whose `add` rejected may not be stored.
 */
export class OutboxError extends BillingError {
  override readonly name = "OutboxError";
  /** The reason, for programs. */
  readonly reason: OutboxErrorReason;

  constructor(reason: OutboxErrorReason, message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.reason = reason;
  }
}

/** Returns whether a value is an {@link OutboxError}, from any copy of the package. */
export function isOutboxError(value: unknown): value is OutboxError {
  return isBillingError(value) && value.name === "OutboxError";
}
