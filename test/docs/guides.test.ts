import { expect, it } from "vitest";
import { checkGuides } from "../../site/guides.ts";

it("site/guides.ts lists every guide in docs/", () => {
  expect(checkGuides).not.toThrow();
});
