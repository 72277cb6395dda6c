import { type FieldKind, isObject } from "./shape.ts";

const isText = (value: unknown): value is string => typeof value === "string";

/** What is checked where it is used, with words of its own. */
export const anything: FieldKind = { name: "anything", fits: () => true };
export const text: FieldKind = { name: "a text", fits: isText };
export const textOrNull: FieldKind = { name: "a text or null", fits: (value) => value === null || isText(value) };
export const texts: FieldKind = {
  name: "a list of texts",
  fits: (value) => Array.isArray(value) && value.every(isText),
};
export const flag: FieldKind = { name: "true or false", fits: (value) => typeof value === "boolean" };
export const object: FieldKind = { name: "an object", fits: isObject };
export const callable: FieldKind = { name: "a function", fits: (value) => typeof value === "function" };
export const finite: FieldKind = { name: "a number", fits: Number.isFinite };
export const whole: FieldKind = { name: "a whole number", fits: Number.isSafeInteger };

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** A time in the form that the service writes (specification, section 2.1). */
export const timestamp: FieldKind = {
  name: "a timestamp of the form YYYY-MM-DDThh:mm:ss.ffffffZ",
  fits: (value) => isText(value) && TIMESTAMP.test(value) && !Number.isNaN(Date.parse(value)),
};
export const timestampOrNull: FieldKind = {
  name: `${timestamp.name}, or null`,
  fits: (value) => value === null || timestamp.fits(value),
};

/** How many there may be; Infinity for no limit. */
export const amount: FieldKind = {
  name: "a number from 0",
  fits: (value) => typeof value === "number" && value >= 0,
};

/** A record of a collection, or its id. */
export const reference: FieldKind = {
  name: "a record or its id",
  fits: (value) => isText(value) || (isObject(value) && isText(value["id"])),
};

/** One of these texts. */
export function oneOf(...values: readonly string[]): FieldKind {
  const names = values.map((value) => JSON.stringify(value));
  return { name: names.join(" or "), fits: (value) => values.includes(value as string) };
}

/** A number in a range, its ends among them. */
export function from(min: number, max: number): FieldKind {
  return {
    name: `a number from ${min} to ${max}`,
    fits: (value) => typeof value === "number" && value >= min && value <= max,
  };
}

/** Whether a value is an origin: a scheme, a host, and a port where it is not the usual one (RFC 6454, section 6). */
export function isOrigin(value: unknown): boolean {
  return typeof value === "string" && /^[a-z][a-z\d+.-]*:\/\/[^/\s]+$/.test(value);
}
