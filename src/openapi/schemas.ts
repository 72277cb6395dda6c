import * as z from "zod/mini";
import type { Schema, ZodSchema } from "../contract/index.ts";
import type { JsonSchema } from "./document.ts";

/** The documentation of a model. */
export interface ModelDocs {
  readonly description?: string;
  /** The description of each field. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The documentation of the models of a version, by name. */
export type Docs = Readonly<Record<string, ModelDocs>>;

/** Converts schemas to JSON Schema. */
export interface Converter {
  /** The models that the converted schemas refer to, by name. */
  readonly components: Record<string, JsonSchema>;
  /** Returns a reference to a named model, or the full schema. Adds the models that it refers to, to the components. */
  convert(schema: Schema): JsonSchema;
  /** Returns the full schema, also for a named model. */
  convertInFull(schema: Schema): JsonSchema;
}

/** Returns a converter that knows the names of some models, and documents them. */
export function converterOf(models: Readonly<Record<string, Schema>>, docs: Docs): Converter {
  const names = new Map(Object.entries(models).map(([name, schema]) => [schema, name]));
  const metadata = z.registry<{ id: string }>();
  for (const [schema, id] of names) metadata.add(schema as ZodSchema, { id });
  const components: Record<string, JsonSchema> = {};
  return {
    components,
    convert: (schema) => {
      const { $defs, ...converted } = toJsonSchema(schema, { metadata });
      for (const [name, model] of Object.entries(Object($defs))) {
        components[name] ??= describe(model as JsonSchema, docs[name]);
      }
      return converted;
    },
    convertInFull: (schema) => describe(toJsonSchema(schema), docs[names.get(schema) ?? ""]),
  };
}

function toJsonSchema(schema: Schema, parameters: z.core.ToJSONSchemaParams = {}): JsonSchema {
  const override: z.core.ToJSONSchemaParams["override"] = ({ jsonSchema }) => {
    if (jsonSchema.format === "version") delete jsonSchema.format; // Not a format of JSON Schema: a validator may reject it.
  };
  const given = z.toJSONSchema(schema as ZodSchema, { ...parameters, io: "input", override });
  const { $schema: _dialect, ...converted } = given;
  return JSON.parse(JSON.stringify(converted).replaceAll("#/$defs/", "#/components/schemas/"));
}

/** Adds the documentation of a model and its fields to its schema. */
function describe(schema: JsonSchema, { description, fields }: ModelDocs = { fields: {} }): JsonSchema {
  const withDescription = (text: string | undefined, described: JsonSchema) =>
    text === undefined ? described : { description: text, ...described };
  const withFields = (part: JsonSchema): JsonSchema => {
    const { properties, anyOf } = part;
    const described = Object.entries(Object(properties)).map(([name, field]) => {
      return [name, withDescription(fields[name], field as JsonSchema)];
    });
    return {
      ...part,
      ...(properties === undefined ? {} : { properties: Object.fromEntries(described) }),
      ...(Array.isArray(anyOf) ? { anyOf: anyOf.map(withFields) } : {}),
    };
  };
  return withDescription(description, withFields(schema));
}
