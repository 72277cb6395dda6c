import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { versionNames } from "../../scripts/entry-points.ts";
import * as errors from "../../src/errors/index.ts";
import { releaseDates } from "../../src/index.ts";
import { lostLinks } from "../support/pages/links.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const read = (page: string) => readFileSync(join(root, page), "utf8");
const readme = read("README.md");
const errorsGuide = read("docs/errors.md");

/** The pages for contributors. test/package/links.test.ts checks those of the package. */
const pages = [
  "CONTRIBUTING.md",
  "docs/architecture.md",
  "docs/releasing.md",
  "bench/README.md",
  ...globSync("docs/decisions/*.md", { cwd: root }),
];

/** The cells of each row of a table, found by the start of its first cell. */
function rows(text: string, begin: string): string[][] {
  const lines = text.split("\n").filter((line) => line.startsWith(`| ${begin}`));
  return lines.map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

describe("the README", () => {
  it("names each version with its state and its dates", () => {
    const states = ["Deprecated", "Current", "Next"];
    const month = ({ earliest }: { earliest: string }) =>
      new Date(earliest).toLocaleDateString("en", { month: "long", year: "numeric", timeZone: "UTC" });
    const expected = versionNames().map((version, index) => {
      const { current, removed } = releaseDates(version);
      return [`\`@billing-service/sdk/${version}\``, states[index], month(current.from), month(removed)];
    });
    const told = rows(readme, "`@billing-service/sdk/20").map(([name, state, , from, to]) => [name, state, from, to]);
    expect(told).toEqual(expected);
  });
});

it("the guide about errors says when each error is thrown, and what to do", () => {
  const names = Object.keys(errors).filter((name) => /^[A-Z].*Error$/.test(name) && name !== "BillingError");
  const told = names.filter((name) => rows(errorsGuide, `\`${name}\``)[0]?.filter(Boolean).length === 3);
  expect(told).toEqual(names);
});

it.each(pages)("%s links to files and headings that exist", (page) => {
  expect(lostLinks(page, (file) => existsSync(join(root, file)))).toEqual([]);
});
