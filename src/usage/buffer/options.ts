import { readLog } from "../../client/log.ts";
import type { Logger, LogLevel } from "../../client/options.ts";
import { Checks } from "../../errors/checks.ts";
import { describeValue } from "../../values/describe.ts";
import { ENVELOPE_BYTES, MAX_EVENT_BYTES, type RejectedEvent, type UsageEvent } from "../event.ts";
import { memoryOutbox } from "../memory-outbox.ts";
import type { Outbox } from "../outbox.ts";

/** A failed request that will be retried, as passed to `onRetry`. */
export interface BatchRetry {
  readonly error: Error;
  /** The number of events. */
  readonly events: number;
  /** The number of consecutive failures of these events. */
  readonly attempt: number;
  /** The delay before the next attempt, in milliseconds. */
  readonly delay: number;
}

/**
 * Functions that a buffer calls, for metrics and for events that are not stored. The buffer waits only for `onRejected` and
 * `onUnconfirmed`. If one throws, the error is logged as a warning, and sending continues.
 */
export interface EventBufferCallbacks<Event extends UsageEvent = UsageEvent> {
  /**
   * Takes over events that the service rejected. They leave the outbox when it returns, or when its promise resolves. If it
   * throws or rejects, they stay in the outbox, and are sent again after a second. Do not await `add`, `flush` or `close` in
   * it: they may wait for it. An event may be passed more than once, for example after a crash. By default, a warning names the
   * events and their problems.
   */
  onRejected?(rejected: readonly RejectedEvent<Event>[]): unknown;
  /**
   * Takes over events that the service may not have stored: the counts in its response did not add up, also when they were
   * sent once more. It is called and waited for like `onRejected`. By default, a warning names the events.
   */
  onUnconfirmed?(events: readonly Event[]): unknown;
  /** Called before a failed request is retried. */
  onRetry?(retry: BatchRetry): void;
  /**
   * Called with an error that lasts until you fix its cause: the outbox fails, or the service responds with a status such as
   * 401 or 403. The buffer keeps the events and tries again.
   */
  onError?(error: Error): void;
}

/** The options that `createEventBuffer` and `ingestAll` share. */
export interface SendingOptions {
  /** Maximum number of events in a request, from 1 to 10,000. Defaults to 500. */
  readonly maxBatchEvents?: number | undefined;
  /**
   * Maximum size of a request body, in bytes, at most 10 MiB (assumption G-BODY-MAX). Defaults to 1,000,000. A
   * larger event is sent by itself.
   */
  readonly maxBatchBytes?: number | undefined;
  /** Maximum number of concurrent requests. Defaults to 4. After a failure, fewer are sent until requests succeed again. */
  readonly concurrency?: number | undefined;
  /**
   * Maximum number of requests per second of this process; fractions are allowed. Unlimited by default. After a 429, fewer are
   * sent, but at least one, and more again while there is no 429.
   */
  readonly requestsPerSecond?: number | undefined;
  /** Maximum delay before the first retry, in milliseconds. It doubles with every failure. Defaults to 500. */
  readonly minRetryDelay?: number | undefined;
  /**
   * Maximum delay between retries, in milliseconds, unless the service requests more. Defaults to 1,000: while every request
   * fails, only one at a time is sent.
   */
  readonly maxRetryDelay?: number | undefined;
  /**
   * Compresses requests with more than one event, for a service that accepts `Content-Encoding: gzip`. If it does not, it rejects
   * such requests; the events stay queued, or are sent one by one. Off by default.
   */
  readonly compress?: "gzip" | undefined;
  /** Receives warnings. Defaults to `console`. */
  readonly logger?: Logger | undefined;
  /** Minimum level of log messages. `off` disables warnings. */
  readonly logLevel?: LogLevel | undefined;
}

/** Options for `createEventBuffer`. All are optional. */
export interface EventBufferOptions<Event extends UsageEvent = UsageEvent>
  extends SendingOptions,
    EventBufferCallbacks<Event> {
  /** Stores events until they are sent. Defaults to `memoryOutbox()`. The buffer closes it, so each needs its own. */
  readonly outbox?: Outbox | undefined;
  /** Maximum time that an event waits for others to fill a batch, in milliseconds. Defaults to 1,000. */
  readonly maxDelay?: number | undefined;
  /** Maximum number of events in the outbox; `add` rejects more. Defaults to 1,000,000 if it is durable, otherwise to 100,000. */
  readonly maxQueued?: number | undefined;
}

/** The names of the options that buffers and `ingestAll` share. */
export const SENDING_OPTIONS = [
  "maxBatchEvents",
  "maxBatchBytes",
  "concurrency",
  "requestsPerSecond",
  "minRetryDelay",
  "maxRetryDelay",
  "compress",
  "logger",
  "logLevel",
] as const satisfies readonly (keyof SendingOptions)[];

const CALLBACKS = ["onRejected", "onUnconfirmed", "onRetry", "onError"] satisfies (keyof EventBufferCallbacks)[];

const NAMES = [
  ...SENDING_OPTIONS,
  "outbox",
  "maxDelay",
  "maxQueued",
  ...CALLBACKS,
] as const satisfies readonly (keyof EventBufferOptions)[];

const METHODS = ["append", "take", "confirm", "release", "state", "close"] satisfies (keyof Outbox)[];

/** The checked options of a buffer, with defaults. */
export type BufferSettings = ReturnType<typeof readBufferSettings>;

/**
 * Checks the options of a buffer and applies the defaults.
 *
 * @throws {@link InvalidInputError} when an option is unknown or invalid.
 */
export function readBufferSettings(check: Checks, given: EventBufferOptions) {
  const options = check.fields("options", given, NAMES);
  const outbox = readOutbox(check, options.outbox === undefined ? memoryOutbox() : options.outbox);
  const longest = outbox.durable === true ? 1_000_000 : 100_000;
  return {
    ...readSending(check, options),
    outbox,
    maxDelay: check.integer("maxDelay", options.maxDelay ?? 1_000, 0),
    maxQueued: check.integer("maxQueued", options.maxQueued ?? longest, 1, 1_000_000_000),
    callbacks: readCallbacks(check, given, CALLBACKS),
  };
}

/** Checks the options of `flush` or `close`, and returns the timeout. */
export function readTimeout(
  caller: string,
  options: { readonly timeout?: number | undefined } = {},
): number | undefined {
  const check = new Checks({ caller });
  const { timeout } = check.fields("options", options, ["timeout"]);
  return timeout === undefined ? undefined : check.integer("timeout", timeout, 0);
}

function readOutbox(check: Checks, outbox: Outbox): Outbox {
  const { leaseDuration, pollInterval } = check.methods("outbox", outbox, METHODS, true);
  for (const [name, value = 1] of Object.entries({ leaseDuration, pollInterval }))
    check.integer(`outbox.${name}`, value, 1);
  if (leaseDuration !== undefined) check.methods("outbox", outbox, ["extend"], true);
  return outbox;
}

/** Checks the options that a buffer and `ingestAll` share. */
export function readSending(check: Checks, options: SendingOptions) {
  const events = check.integer("maxBatchEvents", options.maxBatchEvents ?? 500, 1, 10_000);
  const bytes = check.integer("maxBatchBytes", options.maxBatchBytes ?? 1_000_000, 1, MAX_EVENT_BYTES + ENVELOPE_BYTES);
  return {
    // Without the brackets and commas around the events: each has at least 29 bytes and a comma.
    batch: { events, bytes: Math.max(1, bytes - ENVELOPE_BYTES - Math.min(events, Math.floor(bytes / 30))) },
    concurrency: check.integer("concurrency", options.concurrency ?? 4, 1, 100),
    requestsPerSecond: readRate(check, options.requestsPerSecond),
    delays: {
      min: check.integer("minRetryDelay", options.minRetryDelay ?? 500, 1),
      max: check.integer("maxRetryDelay", options.maxRetryDelay ?? 1_000, 1),
    },
    headers: options.compress && { "Content-Encoding": check.oneOf("compress", options.compress, ["gzip"]) },
    log: readLog(check, options),
  };
}

function readRate(check: Checks, rate = Number.POSITIVE_INFINITY): number {
  const isRate = typeof rate === "number" && rate > 0;
  check.must(isRate, "requestsPerSecond", "be a number above 0", rate, describeValue);
  return rate;
}

/** Checks functions of the caller, each of which may be missing. Returns their object, whose methods they may be. */
export function readCallbacks<Options, Name extends keyof Options & string>(
  check: Checks,
  given: Options,
  names: readonly Name[],
): Pick<Options, Name> {
  for (const name of names) if (given[name] !== undefined) check.function(name, given[name] as () => void);
  return given;
}
