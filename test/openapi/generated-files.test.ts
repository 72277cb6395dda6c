import { describe, expect, it } from "vitest";
import { versionNames } from "../../scripts/entry-points.ts";
import { committed, generatedFiles } from "../../scripts/generate/files.ts";
import { documentOf } from "../../scripts/generate/version-source.ts";
import type { JsonSchema } from "../../src/openapi/index.ts";

const files = await generatedFiles();

/** Returns the type of each field. The names of optional fields end with a question mark. */
function typesOf(schema: JsonSchema = {}): Record<string, string> {
  const { properties = {}, required = [] } = schema as { properties?: Record<string, JsonSchema>; required?: string[] };
  return Object.fromEntries(
    Object.entries(properties).map(([name, field]) => [required.includes(name) ? name : `${name}?`, typeOf(field)]),
  );
}

function typeOf(schema: JsonSchema): string {
  const { type, anyOf, $ref } = schema;
  if ("const" in schema) return JSON.stringify(schema["const"]);
  if (Array.isArray(anyOf)) return anyOf.map(typeOf).join(" or ");
  return typeof $ref === "string" ? ($ref.split("/").at(-1) as string) : [type ?? "anything"].flat().join(" or ");
}

describe("the generated files", () => {
  it.each([...files])("%s matches the output of `npm run generate`", (path, text) => {
    expect(committed(path)).toBe(text);
  });
});

describe.each(versionNames())("the document of %s", async (version) => {
  const document = await documentOf(version);
  const { schemas } = document.components;

  it("describes every model and field", () => {
    const silent = Object.entries(schemas).flatMap(([name, schema]) => [
      ...("description" in schema ? [] : [name]),
      ...Object.entries((schema.properties ?? {}) as Record<string, object>)
        .filter(([, field]) => !("description" in field))
        .map(([field]) => `${name}.${field}`),
    ]);
    expect(silent).toEqual([]);
  });

  it("ENV-2: has paths that start with /v1, and are the same in every version", async () => {
    const newest = await documentOf(versionNames().at(-1) as string);
    expect(Object.keys(document.paths)).not.toHaveLength(0);
    expect(Object.keys(document.paths).filter((path) => !path.startsWith("/v1/") || !(path in newest.paths))).toEqual(
      [],
    );
  });

  it("WHE-1, WHE-6: gives every field of a WebhookEndpoint its type", () => {
    expect(schemas["WebhookEndpoint"], "WHE-6").toMatchObject({
      properties: { uses_standard_webhook_signature: { readOnly: true } },
    });
    expect(typesOf(schemas["WebhookEndpoint"])).toEqual({
      created_at: "Timestamp",
      modified_at: "Timestamp or null",
      id: "string",
      url: "string",
      "name?": "string or null",
      api_version: "string",
      format: "WebhookFormat",
      secret: "string",
      organization_id: "string",
      events: "array",
      enabled: "boolean",
      uses_standard_webhook_signature: "boolean",
    });
  });

  it("ERR-1, ERR-2: gives every field of an error its type", () => {
    expect(typesOf(schemas["ResourceNotFound"])).toEqual({ error: '"ResourceNotFound"', detail: "string" });
    expect(typesOf(schemas["HTTPValidationError"])).toEqual({ "detail?": "array" });
    const types = { loc: "array", msg: "string", type: "string", "input?": "anything", "ctx?": "object" };
    expect(typesOf(schemas["ValidationError"])).toEqual(types);
  });
});
