import { type Log, readLog } from "../../client/log.ts";
import { readBatchLimit, readDelays } from "../buffer/settings.ts";
import type { RetryDelays } from "../delivery/index.ts";
import type { UsageEvent } from "../event/index.ts";
import { CheckedOptions, LONGEST_DELAY } from "../options/check-options.ts";
import type { TakeLimit } from "../outbox/index.ts";
import type { IngestAllOptions } from "./options.ts";

/** The checked options of `ingestAll`, with defaults. */
export interface IngestSettings
  extends Pick<IngestAllOptions<UsageEvent>, "signal" | "onProgress" | "onRejected" | "onRetry"> {
  readonly batch: TakeLimit;
  readonly concurrency: number;
  readonly delays: RetryDelays;
  readonly retryFor: number;
  readonly log: Log;
}

const NAMES = [
  "maxBatchEvents",
  "maxBatchBytes",
  "concurrency",
  "minRetryDelay",
  "maxRetryDelay",
  "signal",
  "retryFor",
  "onProgress",
  "onRejected",
  "onRetry",
  "logger",
  "logLevel",
] as const satisfies readonly (keyof IngestAllOptions)[];

/**
 * Checks the options of `ingestAll` and applies the defaults.
 *
 * @throws {@link InvalidInputError} when an option is unknown or invalid.
 */
export function readIngestSettings(options: IngestAllOptions): IngestSettings {
  const checks = new CheckedOptions("ingestAll", options, NAMES);
  return {
    batch: readBatchLimit(checks),
    concurrency: checks.integer("concurrency", 4, [1, 100]),
    delays: readDelays(checks),
    signal: checks.object("signal", ["addEventListener"]),
    retryFor: checks.integer("retryFor", 600_000, [0, LONGEST_DELAY]),
    onProgress: checks.callback("onProgress"),
    onRejected: checks.callback("onRejected"),
    onRetry: checks.callback("onRetry"),
    log: readLog(options.logger, options.logLevel),
  };
}
