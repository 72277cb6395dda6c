import type { JsonSchema } from "../../openapi/index.ts";
import { alternativesOf, describeSchema, typesOf } from "./describe-schema.ts";
import { type CompareSchemas, changed, type SchemaChange } from "./schema-change.ts";

/** Compares two lists of alternatives. One that is left over on each side counts as the same alternative, changed. */
export function compareAlternatives(
  before: readonly JsonSchema[],
  after: readonly JsonSchema[],
  compare: CompareSchemas,
): SchemaChange[] {
  const isSame = (one: JsonSchema, other: JsonSchema) => compare(one, other).length === 0;
  const removed = before.filter((one) => !after.some((other) => isSame(one, other)));
  const added = after.filter((other) => !before.some((one) => isSame(one, other)));
  const [old, now] = [removed[0], added[0]];
  if (removed.length === 1 && added.length === 1 && old && now && hasNoReference(old, now)) return compare(old, now);
  return [
    ...added.map((each) => changed("wider", `new alternative ${describeSchema(each)}`)),
    ...removed.map((each) => changed("narrower", `no longer has the alternative ${describeSchema(each)}`)),
  ];
}

function hasNoReference(...schemas: readonly JsonSchema[]): boolean {
  return schemas.every((schema) => schema["$ref"] === undefined);
}

/** Returns a schema without its alternative `null`, and whether it had one. */
export function withoutNull(schema: JsonSchema): { readonly schema: JsonSchema; readonly isNullable: boolean } {
  const alternatives = alternativesOf(schema);
  const types = typesOf(schema);
  if (alternatives?.some(isNull)) {
    const others = alternatives.filter((each) => !isNull(each));
    const { anyOf: _anyOf, oneOf: _oneOf, ...rest } = schema;
    return { schema: others.length === 1 ? { ...rest, ...others[0] } : { ...rest, anyOf: others }, isNullable: true };
  }
  if (types.length < 2 || !types.includes("null")) return { schema, isNullable: false };
  return { schema: { ...schema, type: types.filter((type) => type !== "null") }, isNullable: true };
}

function isNull({ type }: JsonSchema): boolean {
  return type === "null";
}
