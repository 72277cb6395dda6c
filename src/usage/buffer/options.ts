import { type Log, readLog } from "../../client/log.ts";
import type { Logger, LogLevel } from "../../client/options.ts";
import { CheckedOptions, LONGEST_DELAY } from "../../errors/checked-options.ts";
import { describeType, describeValue } from "../../errors/describe-value.ts";
import { InvalidInputError } from "../../errors/index.ts";
import type { RetryDelays } from "../deliver.ts";
import { ENVELOPE_BYTES, MAX_EVENT_BYTES, type RejectedEvent, type UsageEvent } from "../event.ts";
import { memoryOutbox, type Outbox, type OutboxEntry, type TakeLimit } from "../outbox/index.ts";

/**
 * The reaction of `add` to a full buffer: wait for room, reject, or make room by dropping the oldest event. While 10,000
 * calls wait, further ones reject.
 */
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

/** The checked options of a buffer, with defaults. */
export interface BufferSettings {
  readonly outbox: Outbox;
  readonly batch: TakeLimit;
  readonly maxDelay: number;
  readonly concurrency: number;
  readonly maxQueued: number;
  readonly whenFull: WhenFull;
  readonly delays: RetryDelays;
  readonly closeOnExit: boolean;
  readonly callbacks: EventBufferCallbacks;
  readonly log: Log;
}

const NAMES = [
  "outbox",
  "maxBatchEvents",
  "maxBatchBytes",
  "maxDelay",
  "concurrency",
  "maxQueued",
  "whenFull",
  "minRetryDelay",
  "maxRetryDelay",
  "closeOnExit",
  "logger",
  "logLevel",
  "onSent",
  "onRejected",
  "onDropped",
  "onRetry",
  "onError",
] as const satisfies readonly (keyof EventBufferOptions)[];

const METHODS = ["append", "take", "confirm", "release", "state", "close"] as const satisfies readonly (keyof Outbox)[];
const LARGEST_QUEUE = 1_000_000_000;

/**
 * Checks the options of a buffer and applies the defaults.
 *
 * @throws {@link InvalidInputError} when an option is unknown or invalid.
 */
export function readBufferSettings(options: EventBufferOptions): BufferSettings {
  const checks = new CheckedOptions("createEventBuffer", options, NAMES);
  const outbox = guarded(checks.object("outbox", METHODS) ?? memoryOutbox());
  return {
    outbox,
    batch: readBatchLimit(checks),
    maxDelay: checks.integer("maxDelay", 1_000, [0, LONGEST_DELAY]),
    concurrency: checks.integer("concurrency", 4, [1, 100]),
    maxQueued: checks.integer("maxQueued", outbox.durable === true ? 1_000_000 : 100_000, [1, LARGEST_QUEUE]),
    whenFull: checks.oneOf("whenFull", ["wait", "reject", "drop-oldest"]),
    delays: readDelays(checks),
    closeOnExit: checks.flag("closeOnExit"),
    callbacks: readCallbacks(checks),
    log: readLog(options.logger, options.logLevel),
  };
}

/** Wraps an outbox, so that an error that a method throws is a rejection, also in a timer. */
function guarded(outbox: Outbox): Outbox {
  const { durable, leaseDuration, pollInterval } = outbox;
  for (const [name, value] of Object.entries({ leaseDuration, pollInterval })) {
    if (value === undefined || (typeof value === "number" && value >= 1 && value <= LONGEST_DELAY)) continue;
    const problem = `must be a number from 1 to ${LONGEST_DELAY}; received ${describeValue(value)}`;
    throw new InvalidInputError(`outbox.${name}`, problem, { caller: "createEventBuffer" });
  }
  return {
    durable,
    leaseDuration,
    pollInterval,
    append: async (events) => outbox.append(events),
    take: async (limit) => {
      const entries: unknown = await outbox.take(limit);
      if (Array.isArray(entries)) return entries as OutboxEntry[];
      throw new TypeError(`take of the outbox must return an array; it returned ${describeType(entries)}`);
    },
    extend: async (entries) => outbox.extend?.(entries),
    confirm: async (entries) => outbox.confirm(entries),
    release: async (entries) => outbox.release(entries),
    state: async () => outbox.state(),
    close: async () => outbox.close(),
  };
}

/** The options of a batch, which `ingestAll` shares. */
type BatchOptions = Pick<EventBufferOptions, "maxBatchEvents" | "maxBatchBytes">;

/** Returns the limits of the events of a request, without the brackets and commas around them. */
export function readBatchLimit<Options extends BatchOptions>(checks: CheckedOptions<Options>): TakeLimit {
  const events = checks.integer("maxBatchEvents", 500, [1, 10_000]);
  const bytes = checks.integer("maxBatchBytes", 1_000_000, [1, MAX_EVENT_BYTES + ENVELOPE_BYTES]);
  return { events, bytes: Math.max(1, bytes - ENVELOPE_BYTES - events) };
}

/** Returns the delays of retries, whose options `ingestAll` shares. */
export function readDelays<Options extends Pick<EventBufferOptions, "minRetryDelay" | "maxRetryDelay">>(
  checks: CheckedOptions<Options>,
): RetryDelays {
  return {
    min: checks.integer("minRetryDelay", 500, [1, LONGEST_DELAY]),
    max: checks.integer("maxRetryDelay", 30_000, [1, LONGEST_DELAY]),
  };
}

function readCallbacks(checks: CheckedOptions<EventBufferOptions>): EventBufferCallbacks<UsageEvent> {
  const names = ["onSent", "onRejected", "onDropped", "onRetry", "onError"] as const;
  return Object.fromEntries(names.map((name) => [name, checks.callback(name)]));
}
