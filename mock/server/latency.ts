import { formatValue } from "../options/shape.ts";

/** The delay of responses in milliseconds: fixed, or a minimum and a maximum. */
export type Latency = number | readonly [min: number, max: number];

/**
 * Returns a function that draws the latency of the next response, or undefined without a latency.
 *
 * @throws TypeError when the latency is not valid.
 */
export function latencyOf(latency: Latency | undefined): (() => number) | undefined {
  if (latency === undefined || latency === 0) return undefined;
  const [min, max] = Array.isArray(latency) ? latency : [latency, latency];
  const isValid = Number.isFinite(min) && Number.isFinite(max) && min >= 0 && max >= min && max < 2 ** 31;
  if (!isValid)
    throw new TypeError(
      `startServer: \`latency\` must be a number of milliseconds, or [min, max] with min <= max; received ${formatValue(latency)}.`,
    );
  return () => min + Math.random() * (max - min);
}
