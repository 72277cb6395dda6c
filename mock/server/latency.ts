/** The delay of responses in milliseconds: fixed, or a minimum and a maximum. */
export type Latency = number | readonly [min: number, max: number];

/** Draws the latency of the next answer; undefined where there is none. */
export function latencyOf(latency: Latency | undefined): (() => number) | undefined {
  if (latency === undefined || latency === 0) return undefined;
  const [min, max] = Array.isArray(latency) ? latency : [latency, latency];
  const usable = Number.isFinite(min) && Number.isFinite(max) && min >= 0 && max >= min && max < 2 ** 31;
  if (!usable) throw new TypeError("startServer: latency must be milliseconds, or [min, max] with min not above max.");
  return () => min + Math.random() * (max - min);
}
