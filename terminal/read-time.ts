import { UsageError } from "./usage-error.ts";

const TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/**
 * Reads the value of an option that takes a date, or a date and time with a time zone: without one, it would depend on the
 * machine. Returns milliseconds since 1970; undefined without a value.
 *
 * @throws UsageError unless it is one.
 */
export function readTime(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (!Number.isNaN(time)) return time;
  const expected = "a date, or a date and time with a time zone, such as 2025-03-01T00:00:00Z";
  throw new UsageError(`${flag} must be ${expected}, not "${text}".`);
}
