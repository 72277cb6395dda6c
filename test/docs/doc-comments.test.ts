import { globSync } from "node:fs";
import ts from "typescript";
import { expect, it } from "vitest";
import { docProblems } from "../support/doc-comments.ts";

const FOLDERS = ["src", "versions", "mock", "cli", "terminal"];

it.each(FOLDERS)("every exported declaration in %s has a doc comment that says what it does or is", (folder) => {
  const files = globSync(`${folder}/**/*.{ts,tsx}`);
  expect(files.length).toBeGreaterThan(0);
  expect(files.flatMap((file) => docProblems(file, ts.sys.readFile(file) ?? ""))).toEqual([]);
});

it.each([
  ["export function f(): void {}", ["a.ts:1: f has no doc comment"]],
  ["/** Returns one. */\nexport const one = 1;", []],
  ["/** How long it takes. */\nexport const one = 1;", ['a.ts:2: the doc comment of one starts with "How"']],
  [
    "/** Options. */\nexport interface O {\n  /** When it ends. */\n  end: string;\n}",
    ['a.ts:4: the doc comment of end starts with "When"'],
  ],
  ["/** Options. */\nexport interface O {\n  /** Whether it ends. */\n  end?: boolean | undefined;\n}", []],
  ["/** Whether it ends. */\nexport function ends(): boolean {\n  return true;\n}", []],
  ["/** Whether it ends. */\nexport const ends = 1;", ['a.ts:2: the doc comment of ends starts with "Whether"']],
  ["export const ThingSchema: ZodSchema<Thing> = z.string();", []],
  ["const hidden = 1;\nexport { hidden };", []],
])("reports %j as %j", (code, problems) => {
  expect(docProblems("a.ts", code)).toEqual(problems);
});
