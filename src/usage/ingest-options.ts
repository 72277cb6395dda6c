import type { Checks } from "../errors/checks.ts";
import { type BatchRetry, readCallbacks, readSending, SENDING_OPTIONS, type SendingOptions } from "./buffer/options.ts";
import type { RejectedEvent, UsageEvent } from "./event.ts";

/** An event that was not stored, with its position. */
export interface RejectedAt<Event extends UsageEvent = UsageEvent> extends RejectedEvent<Event> {
  /** The position of the event in the source, from 0. */
  readonly index: number;
}

/** The progress of an `ingestAll` run. */
export interface IngestProgress {
  /** Events read from the source. */
  readonly read: number;
  /** Events that the service has stored in this run. */
  readonly inserted: number;
  /** Events that the service had stored before. */
  readonly duplicates: number;
  /**
   * Events that the service may not have stored: the counts in its response did not add up, also when they were sent once more.
   * They are not included in `inserted` and `duplicates`. A warning is logged for each such request.
   */
  readonly unconfirmed: number;
  /** Events that are invalid, or that the service rejected. */
  readonly rejected: number;
  /** Failed requests that were retried. */
  readonly retries: number;
  /**
   * Stored or unconfirmed events that had no `external_id` and received a random one. Another run stores them again.
   */
  readonly withoutExternalId: number;
  /**
   * Number of events at the start of the source that are all stored, rejected or `unconfirmed`. A later run may skip them if
   * none is unconfirmed.
   */
  readonly settled: number;
}

/** The result of `ingestAll`. */
export interface IngestReport<Event extends UsageEvent = UsageEvent> extends IngestProgress {
  /** The rejected events by position, at most 10,000. `onRejected` receives all of them. */
  readonly rejections: readonly RejectedAt<Event>[];
}

/**
 * Options for `ingestAll`. All are optional. If one of the functions throws, the error is logged as a warning, and the run
 * continues.
 */
export interface IngestAllOptions<Event extends UsageEvent = UsageEvent> extends SendingOptions {
  /** Cancels the run. Requests in progress are aborted. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Maximum time for which requests may fail, in milliseconds, from the first failure after a success. If the next attempt
   * would be later, the run fails with the last error, whose message then says how many events are settled. Defaults to
   * 600,000 (10 minutes).
   */
  readonly retryFor?: number | undefined;
  /**
   * Called after each batch, and before a failed run rejects. The source may have been read further than `settled`;
   * those events were not sent yet.
   */
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined;
  /** Called with each rejected event. */
  readonly onRejected?: ((rejected: RejectedAt<Event>) => void) | undefined;
  /** Called with events that the service may not have stored; see `unconfirmed`. */
  readonly onUnconfirmed?: ((events: readonly Event[]) => void) | undefined;
  /** Called before a failed request is retried. */
  readonly onRetry?: ((retry: BatchRetry) => void) | undefined;
}

const CALLBACKS = ["onProgress", "onRejected", "onUnconfirmed", "onRetry"] satisfies (keyof IngestAllOptions)[];

const NAMES = [
  ...SENDING_OPTIONS,
  "signal",
  "retryFor",
  ...CALLBACKS,
] as const satisfies readonly (keyof IngestAllOptions)[];

/** The checked options of `ingestAll`, with defaults. */
export type IngestSettings = ReturnType<typeof readIngestSettings>;

/**
 * Checks the options of `ingestAll` and applies the defaults.
 *
 * @throws {@link InvalidInputError} when an option is unknown or invalid.
 */
export function readIngestSettings(check: Checks, given: IngestAllOptions) {
  const options = check.fields("options", given, NAMES);
  return {
    ...readSending(check, options),
    signal: check.signal(options.signal),
    retryFor: check.integer("retryFor", options.retryFor ?? 600_000, 0),
    ...readCallbacks(check, options, CALLBACKS, given),
  };
}
