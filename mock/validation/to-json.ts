import { describeValue } from "../../src/errors/describe-value.ts";

/**
 * Writes a value as JSON. Fields that are undefined are left out, and dates become strings.
 *
 * @param place Where the value stands, for messages.
 * @throws TypeError when JSON has no form for the value or for a part of it.
 */
export function toJson(value: unknown, place: string): string {
  try {
    return JSON.stringify(value, requireJson);
  } catch (error) {
    const [reason] = (error as Error).message.split("\n");
    throw new TypeError(`${place} must be a JSON value: ${reason}`);
  }
}

/** Throws for what `JSON.stringify` would leave out or replace, except for fields that are undefined. */
function requireJson(this: object, name: string, part: unknown): unknown {
  const mayBeMissing = name !== "" && !Array.isArray(this);
  const isMissing = part === undefined ? !mayBeMissing : ["bigint", "function", "symbol"].includes(typeof part);
  const isNotFinite = typeof part === "number" && !Number.isFinite(part);
  // The part of an invalid date is null.
  const tag = lostTag(part ?? Reflect.get(this, name));
  if (!isMissing && !isNotFinite && tag === undefined) return part;
  const received = tag === undefined ? describeValue(part) : `${tag === "Date" ? "an invalid" : "a"} ${tag}`;
  throw new TypeError(`received ${received}${name && ` in \`${name}\``}.`);
}

/** The kinds of objects whose content is not only in their fields, even if they have some. */
const LOST = /^(Map|Set|Error|\w+Array)$/;

/** Returns the name of the kind of an object whose content JSON leaves out or changes. */
function lostTag(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return undefined;
  // Also works for objects from another realm.
  const tag = Object.prototype.toString.call(value).slice("[object ".length, -1);
  const isWritten = tag === "Object" || tag === "Array" || Object.keys(value).length > 0;
  return isWritten && !LOST.test(tag) ? undefined : tag;
}
