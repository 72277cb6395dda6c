import type { JsonSchema } from "./document.ts";

/** The documentation of a field. */
export interface FieldDocs {
  readonly description?: string;
  /** The name of the documented type of the field, of its items, or of its non-null values. */
  readonly type?: string;
}

/** The documentation of a model. */
export interface ModelDocs {
  readonly description?: string;
  readonly fields: Readonly<Record<string, FieldDocs>>;
  /** The names of the models of a union, in the order of the schema's alternatives. */
  readonly variants?: readonly string[];
}

/** The documentation of the models of a version, by name. */
export type Docs = Readonly<Record<string, ModelDocs>>;

/** Adds the documentation of a model and its fields to its schema. */
export function describe(schema: JsonSchema, name: string, docs: Docs): JsonSchema {
  const description = docs[name]?.description;
  return { ...(description === undefined ? {} : { description }), ...describeInside(schema, name, docs) };
}

function describeInside(schema: JsonSchema, name: string, docs: Docs): JsonSchema {
  const model = docs[name];
  if (model === undefined) return schema;
  const { properties, items } = schema;
  return {
    ...schema,
    ...(isSchema(properties) ? { properties: describeFields(properties, model, docs) } : {}),
    ...(isSchema(items) ? { items: describeInside(items, name, docs) } : {}),
    ...alternatives(schema, "anyOf", name, docs),
    ...alternatives(schema, "oneOf", name, docs),
  };
}

function describeFields(properties: JsonSchema, { fields }: ModelDocs, docs: Docs): JsonSchema {
  return Object.fromEntries(
    Object.entries(properties).map(([field, schema]) => {
      const { description, type = "" } = fields[field] ?? {};
      const inside = describeInside(schema as JsonSchema, type, docs);
      return [field, { ...(description === undefined ? {} : { description }), ...inside }];
    }),
  );
}

function alternatives(schema: JsonSchema, keyword: "anyOf" | "oneOf", name: string, docs: Docs): JsonSchema {
  const list = schema[keyword];
  if (!Array.isArray(list)) return {};
  const variants = docs[name]?.variants ?? [];
  const described = list.map((each, index) => {
    const variant = variants[index];
    if (variant === undefined) return describeInside(each, name, docs);
    return "$ref" in each ? each : describe(each, variant, docs);
  });
  return { [keyword]: described };
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
