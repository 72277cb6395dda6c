import { formatPath } from "../errors/describe-value.ts";
import { InvalidInputError } from "../errors/index.ts";

/**
 * Serializes a body as JSON. `undefined` stays `undefined`.
 *
 * @throws {@link InvalidInputError} when JSON cannot represent the value, or would turn a part of it into null or `{}`.
 */
export function serialize(value: unknown, method: string, operation: string): string | undefined {
  if (value === undefined) return undefined;
  if (method === "GET") throw new InvalidInputError("body", "is not allowed with GET", { operation });
  let json: string | undefined;
  let loss: Loss | undefined;
  try {
    json = JSON.stringify(value);
    if (json?.includes("null") || json?.includes("{}")) loss = lossIn(value);
  } catch (cause) {
    throw new InvalidInputError("body", "cannot be serialized as JSON; see `cause`", { operation, cause });
  }
  if (loss !== undefined) throw new InvalidInputError(formatPath(["body", ...loss.path]), loss.problem, { operation });
  if (json !== undefined) return json;
  throw new InvalidInputError("body", `must be a JSON value; received ${typeof value}`, { operation });
}

/** A part of a value that JSON would replace or leave out. */
export interface Loss {
  readonly path: readonly (string | number)[];
  readonly problem: string;
}

/**
 * Finds the first part of a value that JSON would write as null or `{}`: an invalid `Date`, `NaN`, a `Map`, `undefined` in
 * an array.
 *
 * @param isStrict Whether to find also functions and symbols as properties, which JSON leaves out.
 */
export function lossIn(given: unknown, isStrict = false): Loss | undefined {
  const value = written(given);
  if (given instanceof Date && value === null) return { path: [], problem: "must be a valid Date" };
  const problem = problemOf(value);
  if (problem !== undefined) return { path: [], problem };
  if (typeof value !== "object" || value === null) return undefined;
  const isArray = Array.isArray(value);
  for (const key of isArray ? value.keys() : Object.keys(value)) {
    const inner: unknown = (value as Record<string | number, unknown>)[key];
    if (!isArray && (inner === undefined || (!isStrict && isOmitted(inner)))) continue;
    const loss = lossIn(inner, isStrict);
    if (loss !== undefined) return { path: [key, ...loss.path], problem: loss.problem };
  }
  return undefined;
}

/** Returns what JSON writes for a value with `toJSON`, for example a `Date`. */
function written(value: unknown): unknown {
  const { toJSON } = (typeof value === "object" && value !== null ? value : {}) as { readonly toJSON?: unknown };
  return typeof toJSON === "function" ? toJSON.call(value, "") : value;
}

/** JSON leaves these out of objects, and writes null for them in arrays. */
function isOmitted(value: unknown): boolean {
  return value === undefined || typeof value === "function" || typeof value === "symbol";
}

/** The tags of objects that JSON writes completely, besides those with fields of their own. */
const WRITTEN = new Set(["Object", "Array", "String", "Number", "Boolean"].map((name) => `[object ${name}]`));

function problemOf(value: unknown): string | undefined {
  const isNumber = typeof value === "number" || value instanceof Number;
  if (isNumber && !Number.isFinite(Number(value))) return `must be a finite number; received ${value}`;
  if (isOmitted(value)) return `must not be ${value === undefined ? "undefined" : `a ${typeof value}`}`;
  if (typeof value !== "object" || value === null) return undefined;
  const tag = Object.prototype.toString.call(value);
  const isCollection = tag === "[object Map]" || tag === "[object Set]";
  if (!isCollection && Object.keys(value).length > 0) return undefined;
  return WRITTEN.has(tag) ? undefined : `must be a JSON value; received a ${tag.slice("[object ".length, -1)}`;
}
