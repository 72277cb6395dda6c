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

  it.each(versionNames())("the document of %s describes every model and field", async (version) => {
    const { schemas } = (await documentOf(version)).components;
    const silent = Object.entries(schemas).flatMap(([name, schema]) => [
      ...("description" in schema ? [] : [name]),
      ...Object.entries((schema.properties ?? {}) as Record<string, object>)
        .filter(([, field]) => !("description" in field))
        .map(([field]) => `${name}.${field}`),
    ]);
    expect(silent).toEqual([]);
    expect(Object.keys(schemas)).toContain("WebhookEndpoint");
  });

  it.each(versionNames())(
    "ENV-2: every path of %s starts with /v1, and is the same in every version",
    async (version) => {
      const { paths } = await documentOf(version);
      const newest = await documentOf(versionNames().at(-1) as string);
      expect(Object.keys(paths)).not.toHaveLength(0);
      for (const path of Object.keys(paths)) {
        expect(path).toMatch(/^\/v1\//);
        expect(Object.keys(newest.paths)).toContain(path);
      }
    },
  );

  it.each(versionNames())(
    "WHE-1, WHE-6: the document of %s gives every field of a WebhookEndpoint its type",
    async (version) => {
      const { WebhookEndpoint } = (await documentOf(version)).components.schemas;
      expect(WebhookEndpoint, "WHE-6").toMatchObject({
        properties: { uses_standard_webhook_signature: { readOnly: true } },
      });
      expect(typesOf(WebhookEndpoint)).toEqual({
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
    },
  );

  it.each(versionNames())(
    "ERR-1, ERR-2: the document of %s gives every field of an error its type",
    async (version) => {
      const { ResourceNotFound, HTTPValidationError, ValidationError } = (await documentOf(version)).components.schemas;
      expect(typesOf(ResourceNotFound)).toEqual({ error: '"ResourceNotFound"', detail: "string" });
      expect(typesOf(HTTPValidationError)).toEqual({ "detail?": "array" });
      const types = { loc: "array", msg: "string", type: "string", "input?": "anything", "ctx?": "object" };
      expect(typesOf(ValidationError)).toEqual(types);
    },
  );

  it.each(versionNames())("every reference in the document of %s exists", async (version) => {
    const document = await documentOf(version);
    const references = JSON.stringify(document).match(/(?<="\$ref":"#\/)[^"]+/g) ?? [];
    const targets = references.map((path) =>
      path
        .split("/")
        .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], document),
    );
    expect(targets.length).toBeGreaterThan(50);
    expect(targets).not.toContain(undefined);
  });
});
