import { expect, it } from "vitest";
import { bundleSize, packageSize } from "../../scripts/measure-size.ts";
import { projectSizes } from "../../scripts/size-code.ts";

it("the package has at most 4 MB, with both module formats", () => {
  const { total, esm, commonJs } = packageSize();
  expect(total).toBeLessThanOrEqual(4_000_000);
  expect([esm, commonJs].filter((bytes) => bytes < 500_000)).toEqual([]);
});

it("the project stays small", () => {
  const sizes = projectSizes();
  expect(sizes.site.lines).toBeLessThanOrEqual(1_700);
  expect(sizes["scripts and bench"].lines).toBeLessThanOrEqual(2_200);
  expect(sizes["names that a version's entry exports"]).toBeLessThanOrEqual(60);
  expect(sizes["top-level names"]).toBeLessThanOrEqual(24);
});

it.each([
  ["client.js", 29_000],
  ["three-clients.js", 32_000],
  ["webhooks.js", 6_600],
  ["guard.js", 500],
])("the bundle of %s has at most %i bytes, minified and gzipped", async (program, most) => {
  const { gzipped } = await bundleSize(new URL(`../../bench/programs/${program}`, import.meta.url));
  expect(gzipped).toBeLessThanOrEqual(most);
});
