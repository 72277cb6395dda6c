import { suggestName } from "../../errors/closest-name.ts";
import { describeType, describeValue } from "../../errors/describe-value.ts";
import { InvalidInputError } from "../../errors/index.ts";

/** Options for `redisOutbox`. Use the same in every process that shares the outbox. */
export interface RedisOutboxOptions {
  /** The outbox uses the key `{<prefix>}:events`. Processes with the same prefix share it. Defaults to `billing-usage`. */
  readonly prefix?: string | undefined;
  /**
   * Maximum number of events of all processes together. Beyond it, adding rejects with an `OutboxError` whose reason is
   * `full`. Defaults to 1,000,000.
   */
  readonly capacity?: number | undefined;
  /** Time after which other shippers claim the events of one that no longer extends its leases. Defaults to 30,000 ms. */
  readonly leaseDuration?: number | undefined;
  /** Interval at which a buffer looks for events from other processes. Defaults to 1,000 ms. */
  readonly pollInterval?: number | undefined;
}

/** The options with defaults. */
export type RedisOutboxSettings = {
  readonly [Name in keyof RedisOutboxOptions]-?: NonNullable<RedisOutboxOptions[Name]>;
};

const DEFAULTS: RedisOutboxSettings = {
  prefix: "billing-usage",
  capacity: 1_000_000,
  leaseDuration: 30_000,
  pollInterval: 1_000,
};

/** The longest delay of a timer, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/**
 * Checks the options of `redisOutbox` and applies the defaults.
 *
 * @throws {@link InvalidInputError} when an option is unknown or invalid.
 */
export function readRedisOptions(options: RedisOutboxOptions): RedisOutboxSettings {
  if (typeof options !== "object" || options === null) {
    throw invalid("options", `must be an object; received ${describeType(options)}`);
  }
  const given = Object.entries(options).filter(([, value]) => value !== undefined);
  for (const [name] of given) checkName(name);
  const settings: RedisOutboxSettings = { ...DEFAULTS, ...Object.fromEntries(given) };
  checkPrefix(settings.prefix);
  checkInteger("capacity", settings.capacity, 1, Number.MAX_SAFE_INTEGER);
  checkInteger("leaseDuration", settings.leaseDuration, 100, LONGEST);
  checkInteger("pollInterval", settings.pollInterval, 10, LONGEST);
  return settings;
}

function checkName(name: string): void {
  if (Object.hasOwn(DEFAULTS, name)) return;
  const problem = suggestName(name, Object.keys(DEFAULTS));
  throw new InvalidInputError(`options.${name}`, problem, { caller: "redisOutbox", subject: "unknown option" });
}

/** Rejects braces, because the part of a key in braces decides which node of a cluster has it. */
function checkPrefix(prefix: unknown): void {
  if (typeof prefix === "string" && /^[^{}]{1,200}$/.test(prefix)) return;
  throw invalid("prefix", `must be a string of 1 to 200 characters without braces; received ${describeValue(prefix)}`);
}

function checkInteger(name: string, value: unknown, least: number, most: number): void {
  if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most) return;
  throw invalid(name, `must be an integer from ${least} to ${most}; received ${describeValue(value)}`);
}

function invalid(path: string, problem: string): InvalidInputError {
  return new InvalidInputError(path, problem, { caller: "redisOutbox" });
}
