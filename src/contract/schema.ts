import type { StandardSchema } from "./standard-schema.ts";

/**
 * A schema of a contract: any Standard Schema that validates synchronously. It must not transform a value, except by
 * leaving out fields that the contract does not define.
 */
export interface Schema<Value = unknown> extends StandardSchema<Value> {
  readonly "~standard": StandardSchema<Value>["~standard"] & {
    /** Describes the schema in an OpenAPI document ([Standard JSON Schema](https://standardschema.dev/json-schema)). */
    readonly jsonSchema?: JsonSchemaConverter | undefined;
  };
}

/** Converts a schema to JSON Schema. */
export interface JsonSchemaConverter {
  /** Describes the values that the schema accepts. */
  readonly input: (options: { readonly target: "draft-2020-12" }) => Readonly<Record<string, unknown>>;
}
