import { type FieldKind, isObject } from "./shape.ts";

const isText = (value: unknown): value is string => typeof value === "string";

/** Accepts every value; the code that uses the value checks it. */
export const anything: FieldKind = { name: "anything", fits: () => true };
export const text: FieldKind = { name: "a string", fits: isText };
export const textOrNull: FieldKind = { name: "a string or null", fits: (value) => value === null || isText(value) };
export const texts: FieldKind = {
  name: "an array of strings",
  fits: (value) => Array.isArray(value) && value.every(isText),
};
export const flag: FieldKind = { name: "a boolean", fits: (value) => typeof value === "boolean" };
export const object: FieldKind = { name: "an object", fits: isObject };
export const finite: FieldKind = { name: "a number", fits: Number.isFinite };
export const integer: FieldKind = { name: "an integer", fits: Number.isSafeInteger };

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;

/** A timestamp in the service's form (specification, section 2.1). */
export const timestamp: FieldKind = {
  name: "a timestamp of the form YYYY-MM-DDThh:mm:ss.ffffffZ",
  fits: (value) => isText(value) && TIMESTAMP.test(value) && !Number.isNaN(Date.parse(value)),
};
export const timestampOrNull: FieldKind = {
  name: `${timestamp.name}, or null`,
  fits: (value) => value === null || timestamp.fits(value),
};

/** An HTTP status. */
export const status: FieldKind = {
  name: "a status from 200 to 599",
  fits: (value) => Number.isInteger(value) && (value as number) >= 200 && (value as number) <= 599,
};

/** A number of things. */
export const amount: FieldKind = {
  name: "a number of at least 0",
  fits: (value) => typeof value === "number" && value >= 0,
};

/** Also accepts null. */
export function orNull({ name, fits }: FieldKind): FieldKind {
  return { name: `${name}, or null`, fits: (value) => value === null || fits(value) };
}

/** A record of a collection or its id. */
export const reference: FieldKind = {
  name: "a record or its id",
  fits: (value) => isText(value) || (isObject(value) && isText(value["id"])),
};

/** Accepts one of the given strings. */
export function oneOf(...values: readonly string[]): FieldKind {
  const names = values.map((value) => JSON.stringify(value));
  return { name: names.join(" or "), fits: (value) => values.includes(value as string) };
}

/** Accepts an integer that is not less than `min`. */
export function atLeast(min: number): FieldKind {
  return {
    name: `an integer of at least ${min}`,
    fits: (value) => Number.isSafeInteger(value) && (value as number) >= min,
  };
}

/** Accepts an integer in a range, including its ends. */
export function integerFrom(min: number, max: number): FieldKind {
  return {
    name: `an integer from ${min} to ${max}`,
    fits: (value) => Number.isSafeInteger(value) && (value as number) >= min && (value as number) <= max,
  };
}

/** Accepts a number in a range, including its ends. */
export function from(min: number, max: number): FieldKind {
  return {
    name: `a number from ${min} to ${max}`,
    fits: (value) => typeof value === "number" && value >= min && value <= max,
  };
}

/**
 * Whether a value is an origin in the form that browsers send: a scheme, a host in lower case, and a port where it is not
 * the usual one (RFC 6454, section 6). Apps in a shell have schemes of their own, as in `capacitor://localhost`.
 */
export function isOrigin(value: unknown): boolean {
  if (typeof value !== "string" || !/^[a-z][a-z\d+.-]*:\/\/[^/?#@\s]+$/.test(value)) return false;
  return !/^https?:/.test(value) || (URL.canParse(value) && new URL(value).origin === value);
}
