import { describe, expect, it } from "vitest";
import { versionNames } from "../../scripts/entry-points.ts";
import { committed, generatedFiles } from "../../scripts/generate/files.ts";
import { documentOf } from "../../scripts/generate/version-source.ts";

const files = await generatedFiles();

/** Returns the path of each operation, by its id. */
function pathsOf({ paths }: Awaited<ReturnType<typeof documentOf>>): Readonly<Record<string, string>> {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).map(({ operationId }) => [operationId, path] as const),
  );
  return Object.fromEntries(operations);
}

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

  it("ENV-2: has paths that start with /v1, the same for each operation of the newest version", async () => {
    const newest = pathsOf(await documentOf(versionNames().at(-1) as string));
    const own = Object.entries(pathsOf(document));
    expect(own).not.toHaveLength(0);
    expect(own.filter(([id, path]) => !path.startsWith("/v1/") || path !== (newest[id] ?? path))).toEqual([]);
  });
});
