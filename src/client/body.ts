import { Checks } from "../errors/checks.ts";
import { formatPath } from "../errors/describe-value.ts";

/**
 * Serializes a body as JSON. `undefined` stays `undefined`.
 *
 * @throws {@link InvalidInputError} when JSON cannot represent the value, or would replace or leave out a part of it.
 */
export function serialize(value: unknown, method: string, operation: string): string | undefined {
  if (value === undefined) return undefined;
  const check = (): Checks => new Checks({ operation });
  if (method === "GET") throw check().fail("body", "is not allowed with GET");
  const json = toJson(check, "body", value);
  if (json === undefined) check().must(false, "body", "be a JSON value", value);
  return json;
}

/**
 * Serializes an argument as JSON.
 *
 * @param check Creates the checks of the call, only for an error.
 * @throws {@link InvalidInputError} when JSON cannot represent the value, or would replace or leave out a part of it.
 */
export function toJson(check: () => Checks, name: string, value: unknown): string | undefined {
  let json: string | undefined;
  let loss: Loss | undefined;
  try {
    json = JSON.stringify(value);
    if (json !== undefined) loss = lossIn(value);
  } catch (cause) {
    throw check().fail(name, "cannot be serialized as JSON; see `cause`", { cause });
  }
  if (loss !== undefined) throw check().fail(formatPath([name, ...loss.path]), loss.problem);
  return json;
}

/** A part of a value that JSON would replace or leave out. */
interface Loss {
  readonly path: readonly (string | number)[];
  readonly problem: string;
}

/** Finds the first part of a value that JSON would replace or leave out, for example `NaN`, a `Map`, a function. */
export function lossIn(given: unknown): Loss | undefined {
  const value = written(given);
  if (given instanceof Date && value === null) return { path: [], problem: "must be a valid Date" };
  const problem = problemOf(value);
  if (problem !== undefined) return { path: [], problem };
  if (typeof value !== "object" || value === null) return undefined;
  const isArray = Array.isArray(value);
  for (const key of isArray ? value.keys() : Object.keys(value)) {
    const inner: unknown = (value as Record<string | number, unknown>)[key];
    if (isSimple(inner) || (!isArray && inner === undefined)) continue;
    const loss = lossIn(inner);
    if (loss !== undefined) return { path: [key, ...loss.path], problem: loss.problem };
  }
  return undefined;
}

/** Whether JSON writes a value as it is. Most values of a body are of this kind. */
function isSimple(value: unknown): boolean {
  return typeof value === "string" || typeof value === "boolean" || value === null || Number.isFinite(value);
}

/** Returns what JSON writes for a value with `toJSON`, for example a `Date`. */
function written(value: unknown): unknown {
  const { toJSON } = (typeof value === "object" && value !== null ? value : {}) as { readonly toJSON?: unknown };
  return typeof toJSON === "function" ? toJSON.call(value, "") : value;
}

/** The tags of objects that JSON writes completely, besides those with fields of their own. */
const WRITTEN = new Set(["Object", "Array", "String", "Number", "Boolean"].map((name) => `[object ${name}]`));

/** The tags of objects whose content JSON leaves out or changes, even if they also have fields. */
const LOST = /^\[object (Map|Set|Error|\w+Array)\]$/;

function problemOf(value: unknown): string | undefined {
  const isNumber = typeof value === "number" || value instanceof Number;
  if (isNumber && !Number.isFinite(Number(value))) return `must be a finite number; received ${value}`;
  if (value === undefined) return "must not be undefined";
  if (typeof value === "function" || typeof value === "symbol") return `must not be a ${typeof value}`;
  if (typeof value !== "object" || value === null) return undefined;
  const tag = Object.prototype.toString.call(value);
  if (!LOST.test(tag) && Object.keys(value).length > 0) return undefined;
  return WRITTEN.has(tag) ? undefined : `must be a JSON value; received a ${tag.slice("[object ".length, -1)}`;
}
