import { expect, it } from "vitest";
import { versionNames } from "../../scripts/entry-points.ts";
import { committed, generatedFiles } from "../../scripts/generate/files.ts";
import { documentOf } from "../../scripts/generate/version-source.ts";

const files = await generatedFiles();

it.each([...files])("%s matches the output of `npm run generate`", (path, text) => {
  expect(committed(path)).toBe(text);
});

it.each(versionNames())("ENV-2: the paths of %s start with /v1", async (version) => {
  const { paths } = await documentOf(version);
  expect(Object.keys(paths)).not.toHaveLength(0);
  expect(Object.keys(paths).filter((path) => !path.startsWith("/v1/"))).toEqual([]);
});
