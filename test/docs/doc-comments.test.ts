import { globSync } from "node:fs";
import ts from "typescript";
import { expect, it } from "vitest";
import { undocumented } from "../support/doc-comments.ts";

const FOLDERS = ["src", "versions", "mock", "conformance", "cli"];

it.each(FOLDERS)("every exported declaration in %s has a doc comment", (folder) => {
  const files = globSync(`${folder}/**/*.{ts,tsx}`);
  expect(files.length).toBeGreaterThan(0);
  expect(files.flatMap((file) => undocumented(file, ts.sys.readFile(file) ?? ""))).toEqual([]);
});
