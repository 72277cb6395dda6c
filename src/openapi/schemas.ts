import * as z from "zod/mini";
import type { Contract, Operation, Schema, ZodSchema } from "../contract/index.ts";
import type { JsonSchema } from "./document.ts";

const unnamed = "unnamed/";

/** The JSON Schemas of a contract. */
export interface Schemas {
  /** The named models, by name. */
  readonly components: Readonly<Record<string, JsonSchema>>;
  /** Returns a reference to a named model, or the full schema. */
  write(schema: Schema): JsonSchema;
  /** Returns the full schema, also for a named model. */
  inFull(schema: Schema): JsonSchema;
}

/** Converts all schemas of a contract at once, so that they refer to the named models. */
export function schemasOf(contract: Contract, models: Readonly<Record<string, Schema>>): Schemas {
  const names = new Map<Schema, string>(Object.entries(models).map(([name, schema]) => [schema, name]));
  for (const schema of schemasIn(contract)) if (!names.has(schema)) names.set(schema, `${unnamed}${names.size}`);
  const written = convert(names);
  const inFull = (schema: Schema) => written[names.get(schema) ?? ""] ?? {};
  return {
    components: Object.fromEntries(Object.entries(models).map(([name, schema]) => [name, inFull(schema)])),
    inFull,
    write: (schema) => {
      const name = names.get(schema) ?? "";
      return name in models ? { $ref: reference(name) } : inFull(schema);
    },
  };
}

function convert(names: ReadonlyMap<Schema, string>): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [schema, id] of names) registry.add(schema as ZodSchema, { id });
  const { schemas } = z.toJSONSchema(registry, { uri: reference, io: "input" });
  const written = Object.entries<JsonSchema>(schemas);
  const plain = Object.fromEntries(
    written.map(([id, { $schema: _dialect, $id: _address, ...schema }]) => [id, schema]),
  );
  return inline(plain, plain) as Record<string, JsonSchema>;
}

/** Replaces references to unnamed schemas by the schemas. */
function inline(value: unknown, schemas: Readonly<Record<string, JsonSchema>>): unknown {
  if (Array.isArray(value)) return value.map((each) => inline(each, schemas));
  if (typeof value !== "object" || value === null) return value;
  const id = "$ref" in value ? String(value.$ref).slice(reference("").length) : "";
  if (id.startsWith(unnamed)) return inline(schemas[id], schemas);
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, inline(inner, schemas)]));
}

function reference(name: string): string {
  return `#/components/schemas/${name}`;
}

function schemasIn({ operations, webhookData }: Contract): Schema[] {
  return [...operations.flatMap(schemasOfOperation), ...Object.values(webhookData)];
}

function schemasOfOperation({ request, response, failures }: Operation): Schema[] {
  const { path, query, body } = request;
  const all: (Schema | undefined)[] = [path, query, body, response.body, ...Object.values<Schema>({ ...failures })];
  return all.filter((schema) => schema !== undefined);
}

/** Returns the names of the models that a value refers to, directly or through other models. */
export function modelsIn(
  value: unknown,
  models: Readonly<Record<string, JsonSchema>>,
  found: Set<string> = new Set(),
): ReadonlySet<string> {
  if (typeof value !== "object" || value === null) return found;
  const name = "$ref" in value ? String(value.$ref).slice(reference("").length) : "";
  if (name in models && !found.has(name)) modelsIn(models[name], models, found.add(name));
  for (const inner of Object.values(value)) modelsIn(inner, models, found);
  return found;
}

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
