import type { Method } from "../../../src/contract/index.ts";
import type { JsonSchema, OpenApiDocument, OperationObject } from "../../../src/openapi/document.ts";
import { parametersIn, resolve } from "./fields.ts";

/** A valid request to an operation. */
export interface SampleRequest {
  readonly method: Method;
  readonly path: string;
  /** The query without its question mark. */
  readonly query: string;
  /** The body as a JSON value; undefined without a body. */
  readonly body: unknown;
}

/** A valid value for each part of a request. */
export type SampleValues = Readonly<{ path: object; query: object; body: object | undefined }>;

/** A version 4 UUID for examples. */
export const SAMPLE_ID = "4a7e3c52-8f1d-4b6a-9c0e-2d5b7f8a1e34";

/** Values for fields whose schema allows more than a reader would send. */
const BY_NAME: Readonly<Record<string, unknown>> = {
  url: "https://shop.example/webhooks",
  events: ["order.paid"],
  name: "api.call",
};

/** Optional fields that an example shows. */
const SHOWN: Readonly<Record<string, unknown>> = { external_id: "call-1", enabled: false, limit: 10 };

/** Values by type. */
const BY_TYPE: Readonly<Record<string, unknown>> = { string: "text", boolean: true, integer: 1, number: 1 };

/** Returns valid values for the parts of a request. */
export function sampleValues(described: OperationObject, document: OpenApiDocument): SampleValues {
  const schema = described.requestBody?.content["application/json"].schema;
  return {
    path: sampleFields(parametersIn(described, "path"), document),
    query: sampleFields(parametersIn(described, "query"), document),
    body: schema && (sampleOf(schema, document) as object),
  };
}

/** Returns a valid value of a schema: its required fields, and the optional ones that an example should show. */
function sampleOf(schema: JsonSchema, document: OpenApiDocument, name = ""): unknown {
  const full = resolve(schema, document);
  const [variant] = (full["anyOf"] ?? full["oneOf"] ?? []) as readonly JsonSchema[];
  if (variant) return sampleOf(variant, document, name);
  if (full["properties"]) {
    const required = (full["required"] ?? []) as readonly string[];
    const fields = Object.entries(full["properties"] as Readonly<Record<string, JsonSchema>>);
    return sampleFields(
      fields.map(([field, inner]) => ({ name: field, schema: inner, required: required.includes(field) })),
      document,
    );
  }
  if (full["type"] === "array") {
    const items = resolve(full["items"] as JsonSchema, document);
    const usual = BY_NAME[name] as readonly unknown[] | undefined;
    // A field of this name can also list objects.
    return usual && Array.isArray(items["enum"]) ? usual : [sampleOf(items, document)];
  }
  if (Array.isArray(full["enum"])) return full["enum"][0];
  if (full["format"] === "uuid") return SAMPLE_ID;
  const sample = (full["type"] === "string" ? BY_NAME[name] : undefined) ?? BY_TYPE[String(full["type"])];
  if (sample === undefined) throw new Error(`site/reference/operations/sample-request.ts has no sample for "${name}".`);
  return sample;
}

/** Returns valid values of the fields that an example should show. */
function sampleFields(
  fields: readonly { readonly name: string; readonly schema: JsonSchema; readonly required: boolean }[],
  document: OpenApiDocument,
): object {
  const shown = fields.filter(({ name, required }) => required || name in SHOWN);
  return Object.fromEntries(
    shown.map(({ name, schema, required }) => [name, required ? sampleOf(schema, document, name) : SHOWN[name]]),
  );
}
