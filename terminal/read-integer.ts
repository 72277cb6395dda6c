import { UsageError } from "./usage-error.ts";

/**
 * Reads the value of an option that takes an integer; undefined without a value.
 *
 * @throws UsageError unless it is an integer from `min` to `max`.
 */
export function readInteger(flag: string, text: string | undefined, min: number, max: number): number | undefined {
  if (text === undefined) return undefined;
  const value = Number(text);
  if (/^-?\d+$/.test(text) && value >= min && value <= max) return value;
  throw new UsageError(`${flag} must be an integer from ${min} to ${max}, not "${text}".`);
}
