import { describeValue, suggestName } from "../../src/values/describe.ts";

/** The values that a field may have: a description, which completes "must be …", and a test. */
export interface FieldType {
  readonly name: string;
  readonly fits: (value: unknown) => boolean;
}

/** The fields that an object may have. */
export type Shape = Readonly<Record<string, FieldType>>;

/** The shape that names every field of a type. */
type ShapeOf<Given> = Readonly<Record<keyof Given & string, FieldType>>;

/** Defines the values that a field may have. */
export function fieldType(name: string, fits: FieldType["fits"]): FieldType {
  return { name, fits };
}

const isText = (value: unknown): value is string => typeof value === "string";

/** Accepts every value; the code that uses the value checks it. */
export const anything: FieldType = fieldType("anything", () => true);
export const text: FieldType = fieldType("a string", isText);
export const texts: FieldType = listOf(text, "strings");
export const flag: FieldType = fieldType("a boolean", (value) => typeof value === "boolean");
export const callback: FieldType = fieldType("a function", (value) => typeof value === "function");
export const object: FieldType = fieldType("an object", isObject);
export const finite: FieldType = fieldType("a number", Number.isFinite);
export const integer: FieldType = fieldType("an integer", Number.isSafeInteger);
export const count: FieldType = within("a finite number", Number.isFinite, 0);
/** A number of things, or `Infinity` for no limit. */
export const amount: FieldType = within("a number", (value) => typeof value === "number", 0);
/** An HTTP status. */
export const status: FieldType = integerFrom(200, 599);
/** A record of a collection or its id. */
export const reference: FieldType = fieldType("a record or its id", (value) =>
  isText(isObject(value) ? value["id"] : value),
);

/** Also accepts null. */
export function orNull({ name, fits }: FieldType): FieldType {
  return fieldType(`${name} or null`, (value) => value === null || fits(value));
}

/** Accepts a list of values of a type. */
export function listOf({ fits }: FieldType, names: string): FieldType {
  return fieldType(`an array of ${names}`, (value) => Array.isArray(value) && value.every(fits));
}

/** Accepts one of the given strings. */
export function oneOf(...values: readonly string[]): FieldType {
  const names = values.map((value) => JSON.stringify(value));
  const name = `${names.slice(0, -1).join(", ")} or ${names.at(-1)}`;
  return fieldType(name, (value) => values.includes(value as string));
}

/** Accepts a number in a range, including its ends. */
export function from(min: number, max: number): FieldType {
  return within("a number", Number.isFinite, min, max);
}

/** Accepts an integer in a range, including its ends. */
export function integerFrom(min: number, max?: number): FieldType {
  return within("an integer", Number.isSafeInteger, min, max);
}

function within(
  noun: string,
  isOne: FieldType["fits"],
  min: number,
  max: number = Number.POSITIVE_INFINITY,
): FieldType {
  const range = Number.isFinite(max) ? `from ${min} to ${max}` : `of at least ${min}`;
  return fieldType(`${noun} ${range}`, (value) => isOne(value) && (value as number) >= min && (value as number) <= max);
}

/** Throws a TypeError unless the options of a function are valid. */
export function requireOptions<Options extends object>(place: string, given: Options, shape: ShapeOf<Options>): void {
  if (!isObject(given))
    throw new TypeError(`${place}: the options must be an object; received ${describeValue(given)}.`);
  throwFirst(fieldProblems("option", place, given, shape));
}

/**
 * Throws a TypeError unless an object fits a shape, so that a typo never silently becomes a default. Fields that are
 * undefined fit.
 *
 * @param place The function or record that the object was given to.
 * @param others The values of fields that the shape does not have; without it, they are not allowed.
 */
export function requireShape(place: string, given: unknown, shape: Shape, others?: FieldType): void {
  throwFirst(shapeProblems(place, given, shape, others));
}

function throwFirst([problem]: readonly string[]): void {
  if (problem !== undefined) throw new TypeError(problem);
}

/** Returns a message for each reason why an object does not fit a shape. */
export function shapeProblems(place: string, given: unknown, shape: Shape, others?: FieldType): string[] {
  if (!isObject(given)) return [`${place} must be an object; received ${describeValue(given)}.`];
  return fieldProblems("field", place, given, shape, others);
}

function fieldProblems(noun: string, place: string, given: object, shape: Shape, others?: FieldType): string[] {
  return Object.entries(given).flatMap(([name, value]) => {
    const expected = Object.hasOwn(shape, name) ? shape[name] : others;
    if (!expected) return `${place}: ${unknownName(noun, name, Object.keys(shape))}`;
    if (value === undefined || expected.fits(value)) return [];
    const received = SECRET.test(name) ? "" : `; received ${describeValue(value)}`;
    return `${place}: \`${name}\` must be ${expected.name}${received}.`;
  });
}

/** Matches names of headers, parameters and fields whose values are secret, or part of a secret. */
export const SECRET: RegExp = /authorization|cookie|token|secret|password|passwd|credential|signature|api[-_]?key/i;

/** Describes an unknown name: suggests the closest valid one, or lists the valid ones. */
export function unknownName(noun: string, name: unknown, valid: readonly string[]): string {
  return `unknown ${noun} ${suggestName(String(name), valid)}.`.replace(/\?\.$/, "?");
}

/** Returns a copy of an object without the fields that are undefined, which count as left out. */
export function omitUndefined<Given extends object>(given: Given): Given {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Given;
}

/** Whether a value is an object with fields: not an array, a function or null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Freezes a value in place at every level. Only for values that the caller owns. */
export function deepFreeze<Value>(value: Value): Value {
  if (typeof value !== "object" || value === null) return value;
  for (const name in value) deepFreeze(value[name]);
  return Object.freeze(value);
}
