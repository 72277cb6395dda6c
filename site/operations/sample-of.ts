import type { JsonSchema } from "../../src/openapi/index.ts";

/** A version 4 UUID for examples. */
export const SAMPLE_ID = "4a7e3c52-8f1d-4b6a-9c0e-2d5b7f8a1e34";

/** Values for fields whose schema allows more than a reader would send. */
const byName: Readonly<Record<string, unknown>> = {
  url: "https://shop.example/webhooks",
  events: ["order.paid"],
  name: "api.call",
};

/** Optional fields that an example shows. */
const shown: Readonly<Record<string, unknown>> = { external_id: "call-1", enabled: false, limit: 10 };

/** Returns a valid value of a schema: its required fields, and the optional ones that an example should show. */
export function sampleOf(schema: JsonSchema, name = ""): unknown {
  const [variant] = (schema["anyOf"] ?? schema["oneOf"] ?? []) as readonly JsonSchema[];
  if (variant) return sampleOf(variant, name);
  if (schema["properties"]) return sampleObject(schema);
  if (schema["type"] === "array") return fits(schema, byName[name]) ?? [sampleOf(schema["items"] as JsonSchema)];
  if (Array.isArray(schema["enum"])) return schema["enum"][0];
  if (schema["format"] === "uuid") return SAMPLE_ID;
  if (schema["type"] === "string") return byName[name] ?? "text";
  if (schema["type"] === "boolean") return true;
  if (schema["type"] === "integer" || schema["type"] === "number") return 1;
  throw new Error(`site/operations/sample-of.ts has no sample for "${name}": ${JSON.stringify(schema)}`);
}

function sampleObject(schema: JsonSchema): object {
  const required = (schema["required"] ?? []) as readonly string[];
  const fields = Object.entries(schema["properties"] as Readonly<Record<string, JsonSchema>>);
  return Object.fromEntries(
    fields.flatMap(([field, inner]) => {
      if (required.includes(field)) return [[field, sampleOf(inner, field)]];
      return field in shown ? [[field, shown[field]]] : [];
    }),
  );
}

/** Returns the value if the schema's list of allowed items contains it. */
function fits(schema: JsonSchema, value: unknown): unknown {
  const allowed = (schema["items"] as JsonSchema)["enum"];
  const isAllowed = Array.isArray(value) && Array.isArray(allowed) && value.every((item) => allowed.includes(item));
  return isAllowed ? value : undefined;
}
