import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { versionNames } from "../../scripts/entry-points.ts";
import { loadVersion } from "../../scripts/generate/version-source.ts";

it.each(versionNames())("models.ts of %s compares each schema with its model", async (version) => {
  const compared = readFileSync(`versions/${version}/models.ts`, "utf8");
  const { models } = await loadVersion(version);
  const names = Object.keys(models).filter((name) => name !== "ProductList");
  expect(names.length).toBeGreaterThan(20);
  expect(names.filter((name) => !compared.includes(`.${name}Schema,`))).toEqual([]);
});
