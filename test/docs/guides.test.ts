import { expect, it } from "vitest";
import { checkGuides } from "../../site/guides.ts";

it("site/guides.ts lists every guide in docs/", () => {
  expect(() => checkGuides()).not.toThrow();
});

it("a guide that is not listed fails the build, with a message that names it", () => {
  expect(() => checkGuides(["docs/client.md", "docs/new.md"])).toThrow("site/guides.ts does not list docs/new.md.");
});
