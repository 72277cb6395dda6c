import { type Log, readLog } from "../../client/log.ts";
import { describeType, describeValue } from "../../errors/describe-value.ts";
import { InvalidInputError } from "../../errors/index.ts";
import type { RetryDelays } from "../delivery/index.ts";
import { ENVELOPE_BYTES, MAX_EVENT_BYTES, type UsageEvent } from "../event/index.ts";
import { CheckedOptions, LONGEST_DELAY } from "../options/check-options.ts";
import { memoryOutbox, type Outbox, type OutboxEntry, type TakeLimit } from "../outbox/index.ts";
import type { EventBufferCallbacks, EventBufferOptions, WhenFull } from "./options.ts";

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
