import { describeValue } from "../../errors/describe-value.ts";
import { InvalidInputError } from "../../errors/index.ts";
import { CheckedOptions, LONGEST_DELAY } from "../options/check-options.ts";

/** Options for `redisOutbox`. Use the same in every process that shares the outbox. */
export interface RedisOutboxOptions {
  /** The outbox uses the key `{<prefix>}:events`. Processes with the same prefix share it. Defaults to `billing-usage`. */
  readonly prefix?: string | undefined;
  /**
   * Maximum number of events of all processes together. Beyond it, `whenFull` of each buffer applies. Defaults to 1,000,000.
   */
  readonly capacity?: number | undefined;
  /** Time after which other shippers claim the events of one that no longer extends its leases. Defaults to 30,000 ms. */
  readonly leaseDuration?: number | undefined;
  /** Interval at which a buffer looks for events from other processes. Defaults to 1,000 ms. */
  readonly pollInterval?: number | undefined;
}

/** The options with defaults. */
export interface RedisOutboxSettings {
  readonly prefix: string;
  readonly capacity: number;
  readonly leaseDuration: number;
  readonly pollInterval: number;
}

/**
 * Checks the options of `redisOutbox` and applies the defaults.
 *
 * @throws {@link InvalidInputError} when an option is unknown or invalid.
 */
export function readRedisOptions(options: RedisOutboxOptions): RedisOutboxSettings {
  const names = ["prefix", "capacity", "leaseDuration", "pollInterval"] as const;
  const checks = new CheckedOptions("redisOutbox", options, names);
  return {
    prefix: checkPrefix(options.prefix ?? "billing-usage"),
    capacity: checks.integer("capacity", 1_000_000, [1, Number.MAX_SAFE_INTEGER]),
    leaseDuration: checks.integer("leaseDuration", 30_000, [100, LONGEST_DELAY]),
    pollInterval: checks.integer("pollInterval", 1_000, [10, LONGEST_DELAY]),
  };
}

/** Rejects braces, because the part of a key in braces decides which node of a cluster has it. */
function checkPrefix(prefix: unknown): string {
  if (typeof prefix === "string" && /^[^{}]{1,200}$/.test(prefix)) return prefix;
  const problem = `must be a string of 1 to 200 characters without braces; received ${describeValue(prefix)}`;
  throw new InvalidInputError("prefix", problem, { caller: "redisOutbox" });
}
