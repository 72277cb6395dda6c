import type { Checks } from "../errors/checks.ts";
import {
  type BatchRetry,
  readCallbacks,
  readSending,
  SENDING_OPTIONS,
  type SendingOptions,
  type SendingSettings,
} from "./buffer/options.ts";
import type { RejectedEvent, UsageEvent } from "./event.ts";

/** An event that was not stored, with its position. */
export interface RejectedAt<Event extends UsageEvent = UsageEvent> extends RejectedEvent<Event> {
  /** The position of the event in the source, from 0. */
  readonly index: number;
}

/** The state of a run of `ingestAll`. */
export interface IngestProgress {
  /** Events read from the source. */
  readonly read: number;
  /** Events that the service has stored in this run. */
  readonly inserted: number;
  /** Events that the service had stored before. */
  readonly duplicates: number;
  /**
   * Events of requests to which the service responded with success, but with numbers that do not add up to them. A warning
   * is logged for each.
   */
  readonly unconfirmed: number;
  /** Events that are invalid, or that the service rejected. */
  readonly rejected: number;
  /** Requests that failed and were repeated. */
  readonly retries: number;
  /**
   * Stored events that had no `external_id` and got a random one. If they are ingested again in another run, they are
   * stored again.
   */
  readonly withoutExternalId: number;
  /** Number of events at the beginning of the source that are all stored or rejected. A later run may skip them. */
  readonly settled: number;
}

/** The result of `ingestAll`. */
export interface IngestReport<Event extends UsageEvent = UsageEvent> extends IngestProgress {
  /** The rejected events by position, at most the first 10,000. `onRejected` gets all of them. */
  readonly rejections: readonly RejectedAt<Event>[];
}

/**
 * Options for `ingestAll`. All are optional. An error that one of the functions throws is logged as a warning, and the run
 * continues. Events without `external_id` get a random one, whatever the options.
 */
export interface IngestAllOptions<Event extends UsageEvent = UsageEvent> extends SendingOptions {
  /** Cancels the run. Requests in progress are aborted. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Maximum time without any success, in milliseconds; then the run fails with the last error. Defaults to 600,000 (10
   * minutes).
   */
  readonly retryFor?: number | undefined;
  /** Called after each batch. */
  readonly onProgress?: ((progress: IngestProgress) => void) | undefined;
  /** Called with each rejected event. */
  readonly onRejected?: ((rejected: RejectedAt<Event>) => void) | undefined;
  /** Called before a failed request is repeated. */
  readonly onRetry?: ((retry: BatchRetry) => void) | undefined;
}

/** The checked options of `ingestAll`, with defaults. */
export interface IngestSettings
  extends SendingSettings,
    Pick<IngestAllOptions<UsageEvent>, "signal" | "onProgress" | "onRejected" | "onRetry"> {
  readonly retryFor: number;
}

const CALLBACKS = ["onProgress", "onRejected", "onRetry"] satisfies (keyof IngestAllOptions)[];

const NAMES = [
  ...SENDING_OPTIONS,
  "signal",
  "retryFor",
  ...CALLBACKS,
] as const satisfies readonly (keyof IngestAllOptions)[];

/**
 * Checks the options of `ingestAll` and applies the defaults.
 *
 * @throws {@link InvalidInputError} when an option is unknown or invalid.
 */
export function readIngestSettings(check: Checks, given: IngestAllOptions): IngestSettings {
  const options = check.fields("options", given, NAMES);
  return {
    ...readSending(check, options),
    signal: check.signal(options.signal),
    retryFor: check.integer("retryFor", options.retryFor ?? 600_000, 0),
    ...readCallbacks(check, options, CALLBACKS),
  };
}
