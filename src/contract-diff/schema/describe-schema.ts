import type { JsonSchema } from "../../openapi/index.ts";

/** The number of values of an enum that a message lists. */
const LISTED_VALUES = 5;

/** Describes the type of a schema in a few words, for example `array of WebhookFormat` or `string or null`. */
export function describeSchema(schema: JsonSchema): string {
  const { $ref, type, items } = schema;
  const alternatives = alternativesOf(schema);
  const values = valuesOf(schema);
  if (typeof $ref === "string") return nameOfReference($ref);
  if (alternatives !== undefined) return alternatives.map(describeSchema).join(" or ");
  if (values !== undefined) return listValues(values);
  if (type === "array") return `array of ${describeSchema((items ?? {}) as JsonSchema)}`;
  return typesOf(schema).join(" or ") || "any value";
}

/** Returns the name of the model that a reference leads to. */
export function nameOfReference(reference: string): string {
  return reference.slice(reference.lastIndexOf("/") + 1);
}

/** Returns the alternatives of a union; undefined if the schema is not one. */
export function alternativesOf({ anyOf, oneOf }: JsonSchema): readonly JsonSchema[] | undefined {
  return (anyOf ?? oneOf) as readonly JsonSchema[] | undefined;
}

/** Returns the values that a schema lists; undefined if it lists none. */
export function valuesOf(schema: JsonSchema): readonly unknown[] | undefined {
  return "const" in schema ? [schema["const"]] : (schema["enum"] as readonly unknown[] | undefined);
}

/** Returns the types of a schema. Empty if it allows every type. */
export function typesOf({ type }: JsonSchema): readonly string[] {
  return type === undefined ? [] : ([type].flat() as string[]);
}

/** Lists values for a message. */
export function listValues(values: readonly unknown[]): string {
  const listed = values.slice(0, LISTED_VALUES).map((value) => JSON.stringify(value));
  const more = values.length - listed.length;
  return more > 0 ? `${listed.join(", ")} and ${more} more` : listed.join(", ");
}
