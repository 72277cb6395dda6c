import type { JsonSchema } from "../../openapi/index.ts";
import { compareFields, compareOtherFields } from "./compare-fields.ts";
import {
  compareFormats,
  compareLimits,
  compareOtherKeywords,
  compareTypes,
  compareValues,
} from "./compare-keywords.ts";
import { compareAlternatives, withoutNull } from "./compare-unions.ts";
import { alternativesOf, nameOfReference } from "./describe-schema.ts";
import { below, type CompareSchemas, changed, type NameLists, type SchemaChange } from "./schema-change.ts";

type Components = Readonly<Record<string, JsonSchema>>;

/** The models that the schemas of two documents refer to. */
export interface SchemaContext {
  readonly before: Components;
  readonly after: Components;
  /** Lists that are compared on their own, so that a new name in one of them is one difference. */
  readonly lists: NameLists;
}

/**
 * Compares two schemas. A reference to the same model on both sides is equal, since models are compared on their own;
 * otherwise, references are followed, so that only differences in the accepted values count.
 */
export function compareSchemas(before: JsonSchema, after: JsonSchema, context: SchemaContext): SchemaChange[] {
  return compareWithin(before, after, context, new Set());
}

/** Compares two schemas. `followed` contains the pairs of references above, since a model can contain itself. */
function compareWithin(
  before: JsonSchema,
  after: JsonSchema,
  context: SchemaContext,
  followed: ReadonlySet<string>,
): SchemaChange[] {
  if (JSON.stringify(before) === JSON.stringify(after)) return [];
  const [old, now] = [withoutNull(before), withoutNull(after)];
  const pair = `${old.schema["$ref"]} ${now.schema["$ref"]}`;
  const hasReference = "$ref" in old.schema || "$ref" in now.schema;
  if (hasReference && (old.schema["$ref"] === now.schema["$ref"] || followed.has(pair)))
    return compareNull(old.isNullable, now.isNullable);
  const inner = hasReference ? new Set([...followed, pair]) : followed;
  const compare: CompareSchemas = (one, other) => compareWithin(one, other, context, inner);
  return [
    ...compareNull(old.isNullable, now.isNullable),
    ...(hasReference
      ? compare(resolve(old.schema, context.before), resolve(now.schema, context.after))
      : compareResolved(old.schema, now.schema, compare, context.lists)),
  ];
}

function compareNull(before: boolean, after: boolean): SchemaChange[] {
  if (before === after) return [];
  return [after ? changed("wider", "can now be null") : changed("narrower", "can no longer be null")];
}

function resolve(schema: JsonSchema, components: Components): JsonSchema {
  const { $ref } = schema;
  return typeof $ref === "string" ? (components[nameOfReference($ref)] ?? {}) : schema;
}

function compareResolved(
  before: JsonSchema,
  after: JsonSchema,
  compare: CompareSchemas,
  lists: NameLists,
): SchemaChange[] {
  const [old, now] = [alternativesOf(before), alternativesOf(after)];
  if (old || now) return compareAlternatives(old ?? [before], now ?? [after], compare);
  const types = compareTypes(before, after);
  if (types.length > 0) return types;
  return [
    ...compareValues(before, after, lists),
    ...compareLimits(before, after),
    ...compareFormats(before, after),
    ...compareFields(before, after, compare, lists),
    ...compareOtherFields(before, after, compare),
    ...below("[]", compareItems(before, after, compare)),
    ...compareOtherKeywords(before, after),
  ];
}

function compareItems(
  { items: before = {} }: JsonSchema,
  { items: after = {} }: JsonSchema,
  compare: CompareSchemas,
): SchemaChange[] {
  return compare(before as JsonSchema, after as JsonSchema);
}
