import { formatPath } from "../errors/describe-value.ts";
import { InvalidInputError } from "../errors/index.ts";

/**
 * Serializes a body as JSON. `undefined` stays `undefined`.
 *
 * @throws {@link InvalidInputError} when JSON cannot represent the value, or would turn a part of it into null.
 */
export function serialize(value: unknown, method: string, operation: string): string | undefined {
  if (value === undefined) return undefined;
  if (method === "GET") throw new InvalidInputError("body", "is not allowed with GET", { operation });
  const json = stringify(value, operation);
  if (json === undefined)
    throw new InvalidInputError("body", `must be a JSON value; received ${typeof value}`, { operation });
  if (json.includes("null")) requireLossless(value, operation);
  return json;
}

function stringify(value: unknown, operation: string): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new InvalidInputError("body", "cannot be serialized as JSON; see `cause`", { operation, cause });
  }
}

function requireLossless(value: unknown, operation: string): void {
  const loss = lossIn(value);
  if (loss !== undefined) throw new InvalidInputError(`body${loss.path}`, loss.problem, { operation });
}

/** A part of a value that `JSON.stringify` would silently replace by null. */
interface Loss {
  /** The path, to append to the name of the value: `.events[0].timestamp`; empty for the value itself. */
  readonly path: string;
  readonly problem: string;
}

/** A part of the value, linked to the part that contains it. */
interface Part {
  readonly value: unknown;
  readonly key?: string | number;
  readonly above?: Part;
}

/** Finds the first part of a value that JSON would write as null: an invalid `Date`, `NaN`, `undefined` in an array. */
export function lossIn(root: unknown): Loss | undefined {
  const open: Part[] = [{ value: root }];
  for (let part = open.pop(); part !== undefined; part = open.pop()) {
    const problem = problemOf(part);
    if (problem !== undefined) return { path: pathOf(part), problem };
    for (const inner of partsOf(part).reverse()) open.push(inner);
  }
  return undefined;
}

function problemOf({ value, key }: Part): string | undefined {
  if (typeof value === "number")
    return Number.isFinite(value) ? undefined : `must be a finite number; received ${value}`;
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? "must be a valid Date" : undefined;
  const isLostInArray = value === undefined || typeof value === "function" || typeof value === "symbol";
  return isLostInArray && typeof key === "number" ? `must not be ${nameOf(value)}` : undefined;
}

function nameOf(value: unknown): string {
  return value === undefined ? "undefined" : `a ${typeof value}`;
}

/** Lists the parts of an object or array, but not of one with `toJSON`, which serializes itself. */
function partsOf(part: Part): Part[] {
  const { value } = part;
  if (typeof value !== "object" || value === null || "toJSON" in value) return [];
  if (Array.isArray(value)) return Array.from(value, (item: unknown, key) => ({ value: item, key, above: part }));
  return Object.entries(value).map(([key, inner]) => ({ value: inner as unknown, key, above: part }));
}

function pathOf(part: Part): string {
  const keys: (string | number)[] = [];
  for (let at: Part | undefined = part; at?.key !== undefined; at = at.above) keys.unshift(at.key);
  const path = formatPath(keys);
  return path === "" || path.startsWith("[") ? path : `.${path}`;
}
