import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { allGuides, checkGuides } from "../../site/guides.ts";
import { ROOT } from "../../site/paths.ts";

it("site/guides.ts lists every guide in docs/", () => {
  expect(() => checkGuides()).not.toThrow();
});

it("a guide that is not listed fails the build, with a message that names it", () => {
  expect(() => checkGuides(["docs/client.md", "docs/new.md"])).toThrow("site/guides.ts does not list docs/new.md.");
});

const written = allGuides().filter(({ file }) => /^docs\/[^/]+$/.test(file));

it.each(written)("$file has the title of its entry in site/guides.ts", ({ file, title }) => {
  expect(readFileSync(ROOT + file, "utf8").split("\n")[0]).toBe(`# ${title}`);
});
