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

/**
 * Rejects what `JSON.stringify` would silently replace by null: an invalid `Date`, `NaN`, or `undefined` in an array.
 * Visits every part in the order of the JSON, each with the object or array that holds it.
 */
function requireLossless(root: unknown, operation: string): void {
  const paths = new Map<unknown, PropertyKey[]>();
  JSON.stringify(root, function (this: Readonly<Record<string, unknown>>, name: string, value: unknown) {
    const path = paths.get(this);
    const inner = path === undefined ? [] : [...path, Array.isArray(this) ? Number(name) : name];
    const problem = lossOf(this[name], Array.isArray(this));
    if (problem !== undefined) throw new InvalidInputError(formatPath(["body", ...inner]), problem, { operation });
    if (typeof value === "object") paths.set(value, inner);
    return value;
  });
}

function lossOf(value: unknown, isItem: boolean): string | undefined {
  if (typeof value === "number" && !Number.isFinite(value)) return `must be a finite number; received ${value}`;
  if (value instanceof Date && Number.isNaN(value.getTime())) return "must be a valid Date";
  if (!isItem || !["undefined", "function", "symbol"].includes(typeof value)) return undefined;
  return `must not be ${value === undefined ? "undefined" : `a ${typeof value}`}`;
}
