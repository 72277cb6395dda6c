import type { Assumptions } from "../assumptions/assumptions.ts";
import { isObject } from "../options/shape.ts";
import type { BodySchema } from "./body-schema.ts";

/**
 * Takes out of a parsed body what an assumption accepts although the contract does not: null in place of a field that is
 * left out (G-NULL), fields named `__proto__` (G-PROTO), and the second identifier of a customer (G-EVT-BOTH).
 */
export function applyLeniency(body: unknown, schema: BodySchema, assumptions: Assumptions): void {
  if (!isObject(body)) return;
  const { nullFields, bothCustomerIds, protoFields } = assumptions;
  if (nullFields === "accept") dropNulls(body, schema);
  if (protoFields === "accept") dropProto(body);
  if (bothCustomerIds === "accept") for (const event of itemsOf(body, "events")) dropSecondCustomer(event);
}

type Fields = Record<string, unknown>;

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

/** Of an event with both identifiers, `customer_id` counts. */
function dropSecondCustomer(event: Fields): void {
  if ("customer_id" in event && typeof event["external_customer_id"] === "string") delete event["external_customer_id"];
}

function itemsOf(body: Fields, name: string): Fields[] {
  const items = body[name];
  return Array.isArray(items) ? items.filter(isObject) : [];
}
