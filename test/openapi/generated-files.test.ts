import { describe, expect, it } from "vitest";
import { versionNames } from "../../scripts/entry-points.ts";
import { committed, generatedFiles } from "../../scripts/generate/files.ts";
import { documentOf } from "../../scripts/generate/version-source.ts";

const files = await generatedFiles();

it.each([...files])("%s matches the output of `npm run generate`", (path, text) => {
  expect(committed(path)).toBe(text);
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
    const paths = Object.keys(document.paths);
    expect(paths).not.toHaveLength(0);
    expect(paths.filter((path) => !path.startsWith("/v1/") || !(path in newest.paths))).toEqual([]);
  });
});
