import { closestName } from "../../src/errors/closest-name.ts";

/** The values that a field may have: a description for messages, and a test. */
export interface FieldKind {
  /** Completes "must be …". */
  readonly name: string;
  readonly fits: (value: unknown) => boolean;
}

/** The fields that an object may have. */
export type Shape = Readonly<Record<string, FieldKind>>;

/** A problem with an object or with one of its fields. */
export interface FieldProblem {
  /** Empty when the value is not an object. */
  readonly field: string;
  /** Describes the problem without the name of the field. */
  readonly text: string;
  /** For a field that the shape does not have: the rest of the message after its name. */
  readonly hint?: string;
}

/**
 * Returns the first problem of an object with a shape; undefined when it fits. Fields that are undefined fit.
 *
 * @param others The values of fields that the shape does not have; without it, they are problems.
 */
export function problemOf(given: unknown, shape: Shape | undefined, others?: FieldKind): FieldProblem | undefined {
  if (!isObject(given)) return invalid("", `must be an object; received ${formatValue(given)}.`);
  if (!shape) return undefined;
  for (const [field, value] of Object.entries(given)) {
    const kind = Object.hasOwn(shape, field) ? shape[field] : others;
    if (!kind) return unknownField(field, shape);
    if (value !== undefined && !kind.fits(value))
      return invalid(field, `must be ${kind.name}${received(field, value)}.`);
  }
  return undefined;
}

function invalid(field: string, text: string): FieldProblem {
  return { field, text };
}

function unknownField(field: string, shape: Shape): FieldProblem {
  const hint = hintFor(field, Object.keys(shape));
  return { field, text: `unknown field${hint}`, hint };
}

/**
 * Throws a TypeError unless an object fits a shape, so that a typo never silently becomes a default.
 *
 * @param place The function or record that the object was given to.
 */
export function requireShape(place: string, given: unknown, shape: Shape | undefined, others?: FieldKind): void {
  requireFields("field", place, given, shape, others);
}

/** Throws a TypeError unless the options of a function are valid. */
export function requireOptions(place: string, given: unknown, shape: Shape): void {
  requireFields("option", place, given, shape);
}

function requireFields(
  noun: string,
  place: string,
  given: unknown,
  shape: Shape | undefined,
  others?: FieldKind,
): void {
  const problem = problemOf(given, shape, others);
  if (!problem) return;
  const { field, text, hint } = problem;
  if (hint !== undefined) throw new TypeError(`${place}: unknown ${noun} "${field}"${hint}`);
  if (field !== "") throw new TypeError(`${place}: \`${field}\` ${text}`);
  throw new TypeError(noun === "option" ? `${place}: the options ${text}` : `${place} ${text}`);
}

/** Describes an unknown name: suggests the closest valid one, or lists the valid ones. */
export function unknownName(noun: string, name: string, valid: readonly string[]): string {
  return `unknown ${noun} ${formatValue(name)}${hintFor(name, valid)}`;
}

/** The maximum number of valid names in a message. */
const MAX_LISTED = 20;

function hintFor(name: unknown, valid: readonly string[]): string {
  const closest = closestName(String(name), valid);
  if (closest !== undefined) return `. Did you mean "${closest}"?`;
  return valid.length > MAX_LISTED ? "." : `; expected one of: ${valid.join(", ")}.`;
}

/** Whether the values of a field are confidential. */
const SECRET = /secret|token|password/i;
const MAX_SHOWN = 100;

function received(field: string, value: unknown): string {
  const text = formatValue(value);
  return SECRET.test(field) || text.length > MAX_SHOWN ? "" : `; received ${text}`;
}

/** Returns a copy of an object without the fields that are undefined, which count as left out. */
export function omitUndefined<Given extends object>(given: Given): Given {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Given;
}

/** Whether a value is an object with fields: not an array, a function or null. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Formats a value for a message: as JSON, or by its type when JSON cannot represent it. */
export function formatValue(value: unknown): string {
  const isJson = value === null || ["string", "boolean", "object"].includes(typeof value);
  try {
    return (isJson && JSON.stringify(value)) || String(value);
  } catch {
    return `a value of type ${typeof value}`;
  }
}
