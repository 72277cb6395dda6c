import { anything, object, oneOf, status, text, texts } from "../options/field-kinds.ts";
import { type FieldKind, requireShape, type Shape } from "../options/shape.ts";

const schema: FieldKind = {
  name: "a schema that implements Standard Schema",
  fits: (value) => typeof (value as Partial<Standard> | null)?.["~standard"]?.validate === "function",
};

interface Standard {
  readonly "~standard": { readonly validate?: unknown };
}

const path: FieldKind = {
  name: "a path that starts with /v1/",
  fits: (value) => typeof value === "string" && value.startsWith("/v1/"),
};
const operations: FieldKind = { name: "an array of operations", fits: (value) => Array.isArray(value) };

const CONTRACT: Shape = { version: text, operations, scopes: texts, webhookEventTypes: texts, webhookData: object };
const METHOD = oneOf("GET", "POST", "PUT", "PATCH", "DELETE");
const OPERATION: Shape = {
  id: text,
  method: METHOD,
  path,
  security: object,
  request: object,
  response: object,
  failures: object,
};
const SECURITY: Shape = { schemes: texts, scopes: texts };
const REQUEST: Shape = { path: schema, query: schema, body: schema };
const RESPONSE: Shape = { status, body: schema };

/**
 * Checks a contract that the package did not make. Fields that the mock does not use are ignored.
 *
 * @param place Names the contract in messages.
 * @throws TypeError naming the field that is missing or invalid.
 */
export function requireContract(place: string, given: unknown): void {
  const contract = requireAll(place, given, CONTRACT);
  requireSchemas(`${place}.webhookData`, contract["webhookData"]);
  for (const [index, each] of (contract["operations"] as unknown[]).entries()) {
    requireOperation(`${place}.operations[${index}]`, each);
  }
}

function requireOperation(place: string, given: unknown): void {
  const { security, request, response, failures } = requireAll(place, given, OPERATION);
  requireAll(`${place}.security`, security, SECURITY);
  requireShape(`${place}.request`, request, REQUEST);
  requireAll(`${place}.response`, response, RESPONSE);
  requireSchemas(`${place}.failures`, failures);
}

/** Checks an object that must have every field of a shape, and returns it. */
function requireAll(place: string, given: unknown, shape: Shape): Readonly<Record<string, unknown>> {
  requireShape(place, given, shape, anything);
  const fields = given as Readonly<Record<string, unknown>>;
  const missing = Object.entries(shape).find(([name]) => fields[name] === undefined);
  if (missing) throw new TypeError(`${place}: \`${missing[0]}\` is required and must be ${missing[1].name}.`);
  return fields;
}

/** Checks an object whose values are schemas. */
function requireSchemas(place: string, given: unknown): void {
  requireShape(place, given, {}, schema);
}
