import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { filesIn, pack } from "../support/packed.ts";
import { lostLinks } from "../support/pages/links.ts";

const folder = mkdtempSync(join(tmpdir(), "links-"));
const files = filesIn(pack(folder));
const pages = files.filter((file) => file.endsWith(".md"));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe("every relative link in the packed tarball leads to a file in it, and to a heading that exists", () => {
  it.each(pages)("%s", (page) => {
    expect(lostLinks(page, (file) => files.includes(file))).toEqual([]);
  });

  it("is checked on every page for users", () => {
    expect(pages).toEqual(expect.arrayContaining(["README.md", "SECURITY.md", "docs/rules.md", "docs/testing.md"]));
  });
});
