import { describe, expect, inject, it } from "vitest";
import { filesIn } from "../support/packed.ts";
import { lostLinks } from "../support/pages/links.ts";

const files = filesIn(inject("tarball"));
const pages = files.filter((file) => file.endsWith(".md"));

describe("every relative link in the packed tarball leads to a file in it, and to a heading that exists", () => {
  it.each(pages)("%s", (page) => {
    expect(lostLinks(page, (file) => files.includes(file))).toEqual([]);
  });
});
