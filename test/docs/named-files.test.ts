import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The files and folders of the project that a page names in code font; placeholders such as `<id>.ts` are left out. */
function namedFiles(page: string): string[] {
  const names = readFileSync(join(root, page), "utf8").matchAll(
    /`((?:src|versions|mock|conformance|cli|terminal|test|scripts|site|docs)\/[\w./-]*)`/g,
  );
  return [...names].flatMap(([, name]) => name ?? []);
}

it.each(["docs/architecture.md", "CONTRIBUTING.md"])("%s names files and folders that exist", (page) => {
  const names = namedFiles(page);
  expect(names).not.toEqual([]);
  expect(names.filter((name) => !existsSync(join(root, name)))).toEqual([]);
});
