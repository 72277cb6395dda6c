import { formatValue } from "../options/shape.ts";

/** Returns the current time in milliseconds since 1970. */
export type Clock = () => number;

/** A moment: a `Date`, an ISO 8601 string, or milliseconds since 1970. */
export type Moment = Date | string | number;

/**
 * Creates a clock: of the system's time, of a fixed moment, or of a function.
 *
 * @throws TypeError when the moment is invalid. The clock throws when the function returns an invalid moment.
 */
export function createClock(now: Moment | (() => Moment) | undefined): Clock {
  if (now === undefined) return () => Date.now();
  if (typeof now === "function") return () => millis(now());
  const fixed = millis(now);
  return () => fixed;
}

/** A reading of a clock: the fallback, and what was thrown, when the clock failed. */
export interface ClockReading {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly error?: Error;
}

/** Reads a clock in work that nobody waits for, where a `now` function that throws must not end the process. */
export function readClock(clock: Clock, fallback: string): ClockReading {
  try {
    return { at: clock() };
  } catch (error) {
    return { at: Date.parse(fallback), error: new Error("The `now` function failed", { cause: error }) };
  }
}

let last = { millisecond: 0, text: "1970-01-01T00:00:00.000000Z" };

/** Formats a moment as the service does: `YYYY-MM-DDThh:mm:ss.ffffffZ`. Caches the last one, because many requests share a millisecond. */
export function formatTimestamp(millisecond: number): string {
  if (last.millisecond !== millisecond) {
    last = { millisecond, text: `${new Date(millisecond).toISOString().slice(0, -1)}000Z` };
  }
  return last.text;
}

function millis(moment: Moment): number {
  const value = isMoment(moment) ? new Date(moment).getTime() : Number.NaN;
  if (Number.isNaN(value))
    throw new TypeError(`createMock: \`now\` must be a valid date; received ${formatValue(moment)}.`);
  return value;
}

function isMoment(value: unknown): value is Moment {
  return typeof value === "number" || typeof value === "string" || value instanceof Date;
}
