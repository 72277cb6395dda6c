import type { Logger, LogLevel } from "../../client/options.ts";
import type { RejectedEvent, UsageEvent } from "../event/index.ts";
import type { Outbox } from "../outbox/index.ts";

/** The reaction of `add` to a full buffer: wait for room, reject, or make room by dropping the oldest event. */
export type WhenFull = "wait" | "reject" | "drop-oldest";

/** One request that the service accepted, as passed to `onSent`. */
export interface SentBatch {
  /** The number of events. */
  readonly events: number;
  /** The number of events that were stored. */
  readonly inserted: number;
  /** The number of duplicates, for example of events whose first response was lost. */
  readonly duplicates: number;
  /** The duration of the request in milliseconds. */
  readonly duration: number;
}

/** A failed request that is repeated, as passed to `onRetry`. */
export interface BatchRetry {
  readonly error: Error;
  /** The number of events. */
  readonly events: number;
  /** The number of consecutive failures of these events. */
  readonly attempt: number;
  /** The delay before the next attempt, in milliseconds. */
  readonly delay: number;
}

/** The reasons why a buffer drops events: `full` for `drop-oldest`, `closed` for a `close` that could not send them. */
export type DropReason = "full" | "closed";

/**
 * Functions that are called about the events of a buffer, for metrics and for events that are not stored. The buffer does
 * not wait for them. An error that one of them throws is logged as a warning, and shipping continues.
 */
export interface EventBufferCallbacks<Event extends UsageEvent = UsageEvent> {
  /** Called when the service has stored a batch. */
  onSent?(batch: SentBatch): void;
  /** Called with events that the service rejected, before they are removed. By default, a warning is logged. */
  onRejected?(rejected: readonly RejectedEvent<Event>[]): void;
  /** Called with events that are removed without being sent. By default, a warning is logged. */
  onDropped?(events: readonly Event[], reason: DropReason): void;
  /** Called before a failed request is repeated. */
  onRetry?(retry: BatchRetry): void;
  /**
   * Called with an error that lasts until somebody changes something: the outbox fails, or the service responded with a
   * status such as 401 or 403. The buffer keeps the events and tries again. Also called with a `ResponseMismatchError` if
   * the numbers of a response do not add up to the events of its request, which count as `unconfirmed`.
   */
  onError?(error: Error): void;
}

/** Options for `createEventBuffer`. All are optional. */
export interface EventBufferOptions<Event extends UsageEvent = UsageEvent> extends EventBufferCallbacks<Event> {
  /** Stores events until they are sent. Defaults to `memoryOutbox()`. The buffer closes it. */
  readonly outbox?: Outbox | undefined;
  /** Maximum number of events in a request, from 1 to 10,000. Defaults to 500. */
  readonly maxBatchEvents?: number | undefined;
  /**
   * Maximum size of a request body, in bytes, at most 10 MiB (G-BODY-MAX). Defaults to 1,000,000. A larger event is sent
   * alone.
   */
  readonly maxBatchBytes?: number | undefined;
  /** Maximum time that an event waits for others to fill a batch, in milliseconds. Defaults to 1,000. */
  readonly maxDelay?: number | undefined;
  /** Maximum number of requests at a time. Defaults to 4. */
  readonly concurrency?: number | undefined;
  /** Maximum number of events in the outbox. Defaults to 1,000,000 if it is durable, otherwise to 100,000. */
  readonly maxQueued?: number | undefined;
  /** The reaction of `add` while `maxQueued` events are queued, or while the outbox is full. Defaults to `wait`. */
  readonly whenFull?: WhenFull | undefined;
  /** Longest delay before the first retry, in milliseconds. It doubles with every failure. Defaults to 500. */
  readonly minRetryDelay?: number | undefined;
  /** Longest delay between retries, in milliseconds, unless the service requests more. Defaults to 30,000. */
  readonly maxRetryDelay?: number | undefined;
  /**
   * Whether the buffer closes itself when the process ends: on SIGINT, SIGTERM, and when Node.js has nothing left to do.
   * Defaults to false. Has no effect in runtimes without `process`.
   */
  readonly closeOnExit?: boolean | undefined;
  /** Receives warnings. Defaults to `console`. */
  readonly logger?: Logger | undefined;
  /** Minimum level of log messages. `off` disables warnings. */
  readonly logLevel?: LogLevel | undefined;
}
