import { hasManyNames, MANY_NAMES } from "../validation/open-value.ts";

/** Returns whether the JSON of a value has more than `max` characters. Looks no further into the value than that needs. */
export function isLongerJson(value: unknown, max: number): boolean {
  return remaining(value, max) < 0 || JSON.stringify(value).length > max;
}

/** Subtracts the least number of characters that a JSON value takes from `room`, and stops below zero. */
function remaining(value: unknown, room: number): number {
  if (typeof value === "string") return room - value.length - 2;
  if (typeof value !== "object" || value === null) return room - 1;
  let left = room - 1;
  // A name and a value take at least five characters together with their punctuation.
  if (hasManyNames(value) && left < 5 * MANY_NAMES) return -1;
  for (const name in value) {
    left = remaining((value as Record<string, unknown>)[name], left - (Array.isArray(value) ? 1 : name.length + 4));
    if (left < 0) return left;
  }
  return left;
}
