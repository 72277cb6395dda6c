import type { AnyUsageEvent, UsageEvent } from "../event/index.ts";
import type { EventCounts } from "./reporter.ts";

/** Numbers about a buffer. All but `queued` and `oldestAge` count from its creation. */
export interface BufferStats extends EventCounts {
  /** Events that are added and not yet removed, including those of earlier runs in a durable outbox. */
  readonly queued: number;
  /** Events that the service has stored, including duplicates. */
  readonly sent: number;
  /** Sent events that the service had stored before. */
  readonly duplicates: number;
  /**
   * Events of requests to which the service responded with success, but with numbers that do not add up to them. They are
   * not sent again, and not part of `sent` and `duplicates`.
   */
  readonly unconfirmed: number;
  /** Events that the service rejected. */
  readonly rejected: number;
  /** Events that were removed without being sent. */
  readonly dropped: number;
  /** Requests that failed and were repeated. */
  readonly retries: number;
  /** The age of the oldest queued event, in milliseconds; undefined if none is queued. */
  readonly oldestAge: number | undefined;
}

/** Collects usage events and sends them in batches. Without type arguments, it accepts the events of every version. */
export interface EventBuffer<Event extends UsageEvent = AnyUsageEvent> extends AsyncDisposable {
  /**
   * Adds an event. Resolves when the event is in the outbox; the request follows later. Later changes to the object have no
   * effect. An event without `external_id` gets one, a UUID of version 7.
   *
   * @throws `InvalidInputError` if the event is not an object that JSON can represent, has no `name`, an empty
   * `external_id`, or more than 10 MiB.
   * @throws {@link EventBufferError} if the buffer is closed, or full and `whenFull` is `reject`.
   * @throws {@link OutboxError} if the outbox could not store the event. If it has no room, `whenFull` applies first.
   */
  add(event: Event): Promise<void>;
  /**
   * Sends what is queued, without waiting for full batches. Resolves when the service has stored or rejected every event
   * whose `add` was called before, and every event that was in the outbox, also if another process sends it. Waits through
   * outages.
   *
   * @throws The error that prevents sending until somebody changes something, for example a 401, or an
   * {@link OutboxError}. The events stay queued.
   */
  flush(): Promise<void>;
  /**
   * Rejects later calls of `add`, sends what is queued, and closes the outbox. Events that could not be sent stay in a
   * durable outbox. Calls after the first return the same promise.
   *
   * @param options.timeout Maximum time for sending, in milliseconds. Defaults to 30,000. `close` ends at most a second later.
   * @throws {@link EventBufferError} if the outbox is not durable and events are lost. `onDropped` gets them; the service may
   * have stored those of an aborted request.
   * @throws {@link OutboxError} if the outbox cannot be closed.
   */
  close(options?: { readonly timeout?: number | undefined }): Promise<void>;
  /** Returns numbers about the buffer. */
  stats(): Promise<BufferStats>;
}
