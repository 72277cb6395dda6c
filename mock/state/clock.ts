import { shown } from "../options/shape.ts";

/** Milliseconds since 1970, now. */
export type Clock = () => number;

/** A moment in time: a date, an ISO 8601 string, or milliseconds since 1970. */
export type Moment = Date | string | number;

/** Makes a clock: of the system's time, of one moment that stands still, or of a function. */
export function clockOf(now: Moment | (() => Moment) | undefined): Clock {
  if (now === undefined) return () => Date.now();
  if (typeof now === "function") return () => millis(now());
  const fixed = millis(now);
  return () => fixed;
}

let last = { millisecond: 0, text: "1970-01-01T00:00:00.000000Z" };

/** The service's form of a moment: `YYYY-MM-DDThh:mm:ss.ffffffZ`. Requests come many to a millisecond. */
export function timestamp(millisecond: number): string {
  if (last.millisecond !== millisecond) {
    last = { millisecond, text: `${new Date(millisecond).toISOString().slice(0, -1)}000Z` };
  }
  return last.text;
}

function millis(moment: Moment): number {
  const value = isMoment(moment) ? new Date(moment).getTime() : Number.NaN;
  if (Number.isNaN(value)) throw new TypeError(`createMock: now is no moment in time: ${shown(moment)}.`);
  return value;
}

function isMoment(value: unknown): value is Moment {
  return typeof value === "number" || typeof value === "string" || value instanceof Date;
}
