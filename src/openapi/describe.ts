import type { JsonSchema } from "./document.ts";

/** What a field of a model means. */
export interface FieldDocs {
  readonly description?: string;
  /** The name of the documented type of the field, of its items, or of what it holds when it is not null. */
  readonly type?: string;
}

/** What a model means. */
export interface ModelDocs {
  readonly description?: string;
  readonly fields: Readonly<Record<string, FieldDocs>>;
  /** The names of the models that it is one of, in the order of the schema's alternatives. */
  readonly variants?: readonly string[];
}

/** What the models of a version mean, by the name of the model. */
export type Docs = Readonly<Record<string, ModelDocs>>;

/** Writes the meaning of a model and of its fields into its schema, as far as it is known. */
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
