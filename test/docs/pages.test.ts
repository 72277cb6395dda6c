import { existsSync, globSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { versionNames } from "../../scripts/entry-points.ts";
import { allGuides } from "../../site/guides/guide-list.ts";
import { ROOT } from "../../site/paths.ts";
import * as errors from "../../src/errors/index.ts";
import { lostLinks } from "../support/pages/links.ts";

const read = (page: string) => readFileSync(ROOT + page, "utf8");
const exists = (file: string) => existsSync(ROOT + file);

/** The cells of each row of a table, found by the start of its first cell. */
function rows(page: string, begin: string): string[][] {
  const lines = read(page).split("\n");
  const cells = (line: string) => line.split("|").map((cell) => cell.trim());
  return lines.filter((line) => line.startsWith(`| ${begin}`)).map((line) => cells(line).slice(1, -1));
}

it("the README names each version with its state", () => {
  const expected = versionNames().map((version, index) => {
    return [`\`@billing-service/sdk/${version}\``, ["Deprecated", "Current", "Next"][index]];
  });
  const told = rows("README.md", "`@billing-service/sdk/20");
  expect(told.map(([name, state]) => [name, state])).toEqual(expected);
});

it("the guide about errors says when each error is thrown, and what to do", () => {
  const names = Object.keys(errors).filter((name) => /^[A-Z].*Error$/.test(name) && name !== "BillingError");
  const told = names.filter((name) => rows("docs/errors.md", `\`${name}\``)[0]?.filter(Boolean).length === 3);
  expect(told).toEqual(names);
});

/** The pages for contributors. test/package/links.test.ts checks those of the package. */
const contributing = ["CONTRIBUTING.md", "docs/architecture.md", "bench/README.md"];

it.each(contributing)("%s links to files and headings that exist", (page) => {
  expect(lostLinks(page, exists)).toEqual([]);
});

it.each(["docs/architecture.md", "CONTRIBUTING.md"])("%s names files and folders that exist", (page) => {
  // Placeholders such as `<id>.ts` are left out.
  const names = [...read(page).matchAll(/`((?:src|versions|mock|cli|conformance|test|scripts|site|docs)\/[\w./-]*)`/g)];
  expect(names).not.toEqual([]);
  const lost = names.flatMap(([, name = ""]) => (exists(name) || exists(`${name}.test.ts`) ? [] : name));
  expect(lost).toEqual([]);
});

it("the site lists every guide in docs/", () => {
  const listed = allGuides().map(({ file }) => file);
  expect(listed).toEqual(expect.arrayContaining(globSync("docs/*.md", { cwd: ROOT })));
});
