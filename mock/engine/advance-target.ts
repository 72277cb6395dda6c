import { anything } from "../options/field-kinds.ts";
import { type FieldKind, formatValue, requireOptions } from "../options/shape.ts";
import { formatTimestamp, requireMoment } from "../state/clock.ts";
import type { ClockAdvance } from "./mock-clock.ts";

const count: FieldKind = {
  name: "a finite number of at least 0",
  fits: (value) => Number.isFinite(value) && (value as number) >= 0,
};

const FIELDS: Readonly<Record<keyof ClockAdvance, FieldKind>> = {
  days: count,
  hours: count,
  minutes: count,
  seconds: count,
  milliseconds: count,
  to: anything,
};

/** The last moment that a timestamp of the service can express. */
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/**
 * Checks a time to advance by.
 *
 * @throws TypeError when it is empty, or has an unknown or invalid field.
 */
export function requireAdvance(time: ClockAdvance): void {
  requireOptions("clock.advance", time, FIELDS);
  const { to, ...units } = time;
  const isUnits = Object.values(units).some((value) => value !== undefined);
  if (to === undefined && !isUnits) throw new TypeError(`clock.advance: pass ${UNITS} or \`to\`.`);
  if (to !== undefined && isUnits) throw new TypeError(`clock.advance: pass ${UNITS} or \`to\`, not both.`);
  if (to !== undefined) requireMoment("clock.advance: `to`", to);
}

const UNITS = "`days`, `hours`, `minutes`, `seconds`, `milliseconds`";

/**
 * Returns the time to which the clock advances, in milliseconds since 1970.
 *
 * @throws TypeError when it lies before the current time or after the year 9999.
 */
export function advancedTo(time: ClockAdvance, now: number): number {
  const target = time.to === undefined ? now + lengthOf(time) : requireMoment("clock.advance: `to`", time.to);
  if (target > LAST) throw new TypeError(`clock.advance: the time must not be after ${formatTimestamp(LAST)}.`);
  if (target >= now) return target;
  throw new TypeError(
    `clock.advance: \`to\` must not be before the time of the mock, ${formatTimestamp(now)}; received ` +
      `${formatValue(time.to)}. To go back, use reset or restore.`,
  );
}

function lengthOf({ days = 0, hours = 0, minutes = 0, seconds = 0, milliseconds = 0 }: ClockAdvance): number {
  return Math.round((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + milliseconds);
}
