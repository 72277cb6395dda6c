import { isObject } from "../options/shape.ts";
import type { BodyPolicy } from "./body-policy.ts";
import type { BodySchema } from "./body-schema.ts";

/**
 * Removes from a parsed body what a policy accepts although the contract does not: null in an optional field (G-NULL), and
 * fields named `__proto__` (G-PROTO).
 */
export function applyLeniency(body: unknown, schema: BodySchema, { nullFields, protoFields }: BodyPolicy): void {
  if (!isObject(body)) return;
  if (nullFields === "accept") dropNulls(body, schema);
  if (protoFields === "accept") dropProto(body);
}

/** A parsed JSON object, before it is checked. */
export type Fields = Record<string, unknown>;

function dropNulls(body: Fields, { optional, optionalInItems }: BodySchema): void {
  dropNullsOf(body, optional);
  for (const [name, fields] of optionalInItems) for (const item of itemsOf(body, name)) dropNullsOf(item, fields);
}

function dropNullsOf(object: Fields, optional: ReadonlySet<string>): void {
  for (const name of optional) if (object[name] === null) delete object[name];
}

function dropProto(value: unknown): void {
  if (typeof value !== "object" || value === null) return;
  if (Object.hasOwn(value, "__proto__")) Reflect.deleteProperty(value, "__proto__");
  for (const inner of Object.values(value)) dropProto(inner);
}

/** Returns the objects in a list of a body. */
export function itemsOf(body: Fields, name: string): Fields[] {
  const items = body[name];
  return Array.isArray(items) ? items.filter(isObject) : [];
}
