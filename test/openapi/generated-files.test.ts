import { describe, expect, it } from "vitest";
import { versionNames } from "../../scripts/doors.ts";
import { committed, generatedFiles } from "../../scripts/generate/files.ts";
import { documentOf } from "../../scripts/generate/version-source.ts";

const files = await generatedFiles();

describe("the generated files", () => {
  it.each([...files])("%s is what `npm run generate` writes", (path, text) => {
    expect(committed(path)).toBe(text);
  });

  it.each(versionNames())("the document of %s has every model and field with its meaning", async (version) => {
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

  it.each(versionNames())("every reference in the document of %s leads somewhere", async (version) => {
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
