import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** A file, and the rule of `biome.json` that it breaks; undefined when it breaks none. */
type Case = readonly [file: string, code: string, rule: string | undefined];

const imports = "lint/style/noRestrictedImports";
const lines = "lint/complexity/noExcessiveLinesPerFunction";
const fileNames = "lint/style/useFilenamingConvention";

const cases: readonly Case[] = [
  ["src/errors/zod-namespace.ts", 'import * as z from "zod/mini";\nexport const name = z.string();', undefined],
  ["src/errors/zod-type.ts", 'import type * as z from "zod/mini";\nexport type Name = z.ZodMiniString;', undefined],
  ["src/errors/zod-named.ts", 'import { z } from "zod/mini";\nexport const name = z.string();', imports],
  ["src/errors/zod-default.ts", 'import z from "zod/mini";\nexport const name = z.string();', imports],
  ["versions/2025-01/models/zod-plain.ts", 'import * as z from "zod";\nexport const name = z.string();', imports],
  ["versions/2025-01/models/zod-plain-named.ts", 'import { z } from "zod";\nexport const name = z.string();', imports],
  ["versions/2025-01/models/zod-deep.ts", 'import * as z from "zod/v4";\nexport const name = z.string();', imports],
  ["mock/zod-named.ts", 'import { z } from "zod/mini";\nexport const name = z.string();', imports],
  ["test/zod-named.ts", 'import { z } from "zod/mini";\nexport const name = z.string();', imports],
  ["src/errors/twoWords.ts", "export const answer = 42;", fileNames],
  ["src/errors/TwoWords.ts", "export const answer = 42;", fileNames],
  ["src/errors/two-words.ts", "export const answer = 42;", undefined],
  ["src/errors/long-function.ts", longFunction(55), lines],
  ["src/errors/short-function.ts", longFunction(45), undefined],
  ["src/errors/long-file.ts", "export {};\n".repeat(251), "lint/style/noExcessiveLinesPerFile"],
  ["src/errors/to-log.ts", 'console.log("answer");', "lint/suspicious/noConsole"],
];

function longFunction(count: number): string {
  return `export function long(list: number[]): void {\n${"  list.push(1);\n".repeat(count)}}`;
}

/** Lints every file in a folder, and names the rules that each file breaks. */
function lint(folder: string): Map<string, string[]> {
  const biome = join(import.meta.dirname, "../../node_modules/.bin/biome");
  const { stdout } = spawnSync(biome, ["lint", "--reporter=json", "--max-diagnostics=none"], {
    cwd: folder,
    encoding: "utf8",
  });
  const { diagnostics } = JSON.parse(stdout) as { diagnostics: { category: string; location: { path: string } }[] };
  const broken = Map.groupBy(diagnostics, ({ location }) => location.path);
  return new Map([...broken].map(([file, found]) => [file, found.map(({ category }) => category)]));
}

describe("the linter", () => {
  const folder = mkdtempSync(join(tmpdir(), "lint-"));
  let broken: Map<string, string[]>;

  beforeAll(() => {
    for (const file of ["biome.json", ".gitignore"]) {
      copyFileSync(join(import.meta.dirname, "../..", file), join(folder, file));
    }
    for (const [file, code] of cases) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), `${code}\n`);
    }
    broken = lint(folder);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(cases.filter(([, , rule]) => rule !== undefined))("reports %s", (file, _code, rule) => {
    expect(broken.get(file)).toContain(rule);
  });

  it.each(cases.filter(([, , rule]) => rule === undefined))("accepts %s", (file) => {
    for (const rule of [imports, lines, fileNames]) expect(broken.get(file) ?? []).not.toContain(rule);
  });
});
