import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** Files with one import each: where, what, and the rule that refuses it (`undefined`: it is allowed). */
const imports = "lint/style/noRestrictedImports";
const cases: readonly (readonly [file: string, code: string, rule: string | undefined])[] = [
  ["src/errors/to-version.ts", 'export { contract } from "../../versions/2025-01/index.ts";', imports],
  ["src/to-version.ts", 'export type { Scope } from "../versions/2025-01/models/index.ts";', imports],
  ["src/errors/to-mock.ts", 'export { createMock } from "../../mock/index.ts";', imports],
  ["src/errors/to-service.ts", 'export { serve } from "../../mock/service/index.ts";', imports],
  ["src/errors/to-msw.ts", 'export { http } from "msw";', imports],
  ["src/errors/to-hono.ts", 'export { Hono } from "hono";', imports],
  ["src/errors/to-node.ts", 'export { readFileSync } from "node:fs";', imports],
  ["src/errors/to-itself.ts", 'export { createClient } from "@billing-service/sdk/2025-01";', imports],
  ["src/errors/to-test.ts", 'export { summary } from "../../test/support/summary-reporter.ts";', imports],
  ["src/errors/to-src.ts", 'export type { Contract } from "../contract/index.ts";', undefined],
  ["versions/2025-01/to-version.ts", 'export { contract } from "../2024-10/index.ts";', imports],
  ["versions/2025-01/models/to-version.ts", 'export type { Scope } from "../../2024-10/models/scope.ts";', imports],
  ["versions/2025-01/dynamic.ts", 'export const late = () => import("../2024-10/index.ts");', imports],
  ["versions/2025-01/roundabout.ts", 'export { contract } from "../../versions/2024-10/index.ts";', imports],
  ["versions/2025-01/to-mock.ts", 'export { createMock } from "../../mock/index.ts";', imports],
  ["versions/2025-01/resources/to-mock.ts", 'export { createMock } from "../../../mock/node.ts";', imports],
  ["versions/2025-01/to-node.ts", 'export { readFileSync } from "node:fs";', imports],
  ["versions/2025-01/resources/to-src.ts", 'export type { Call } from "../../../src/client/index.ts";', undefined],
  ["versions/2025-01/resources/to-model.ts", 'export { Scope } from "../models/scope.ts";', undefined],
  ["mock/to-version.ts", 'export { contract } from "../versions/2025-01/index.ts";', undefined],
  ["mock/to-src.ts", 'export { isVersion } from "../src/index.ts";', undefined],
  ["mock/to-test.ts", 'export { summary } from "../test/support/summary-reporter.ts";', imports],
  ["mock/to-itself.ts", 'export { createMock } from "@billing-service/sdk/mock";', imports],
  ["mock/service/to-msw.ts", 'export { http } from "msw";', imports],
  ["mock/state/to-msw.ts", 'export { setupServer } from "msw/node";', imports],
  ["mock/msw/to-msw.ts", 'export { http } from "msw";', undefined],
  ["src/client/transport.ts", 'export { default } from "ky";', undefined],
  ["src/client/other.ts", 'export { default } from "ky";', imports],
  ["versions/2025-01/to-ky.ts", 'export { default } from "ky";', imports],
  ["mock/to-ky.ts", 'export { default } from "ky";', imports],
  ["test/to-ky.ts", 'export { default } from "ky";', imports],
  ["src/errors/zod-namespace.ts", 'import * as z from "zod/mini";\nexport const text = z.string();', undefined],
  ["src/errors/zod-type.ts", 'import type * as z from "zod/mini";\nexport type Text = z.ZodMiniString;', undefined],
  ["src/errors/zod-named.ts", 'import { z } from "zod/mini";\nexport const text = z.string();', imports],
  ["src/errors/zod-default.ts", 'import z from "zod/mini";\nexport const text = z.string();', imports],
  ["versions/2025-01/models/zod-plain.ts", 'import * as z from "zod";\nexport const text = z.string();', imports],
  ["versions/2025-01/models/zod-named.ts", 'import { z } from "zod";\nexport const text = z.string();', imports],
  ["versions/2025-01/models/zod-deep.ts", 'import * as z from "zod/v4";\nexport const text = z.string();', imports],
  ["mock/zod-named.ts", 'import { z } from "zod/mini";\nexport const text = z.string();', imports],
  ["test/zod-named.ts", 'import { z } from "zod/mini";\nexport const text = z.string();', imports],
  ["src/errors/twoWords.ts", "export const answer = 42;", "lint/style/useFilenamingConvention"],
  ["src/errors/TwoWords.ts", "export const answer = 42;", "lint/style/useFilenamingConvention"],
  ["src/errors/two-words.ts", "export const answer = 42;", undefined],
  ["src/errors/long-function.ts", longFunction(55), "lint/complexity/noExcessiveLinesPerFunction"],
  ["src/errors/short-function.ts", longFunction(45), undefined],
  ["src/errors/long-file.ts", "export {};\n".repeat(251), "lint/style/noExcessiveLinesPerFile"],
  ["src/errors/to-log.ts", 'console.log("text");', "lint/suspicious/noConsole"],
];

function longFunction(lines: number): string {
  return `export function long(list: number[]): void {\n${"  list.push(1);\n".repeat(lines)}}`;
}

/** Runs the linter of the project on the files, each on its own, and names the rules that each file breaks. */
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

describe("the linter of the project", () => {
  const folder = mkdtempSync(join(tmpdir(), "arrows-"));
  let broken: Map<string, string[]>;

  beforeAll(() => {
    for (const file of ["biome.json", ".gitignore"])
      copyFileSync(join(import.meta.dirname, "../..", file), join(folder, file));
    for (const [file, code] of cases) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), `${code}\n`);
    }
    broken = lint(folder);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(cases.filter(([, , rule]) => rule !== undefined))("refuses %s", (file, _code, rule) => {
    expect(broken.get(file)).toContain(rule);
  });

  it.each(cases.filter(([, , rule]) => rule === undefined))("allows %s", (file) => {
    expect(broken.get(file) ?? []).not.toContain(imports);
    expect(broken.get(file) ?? []).not.toContain("lint/style/useFilenamingConvention");
    expect(broken.get(file) ?? []).not.toContain("lint/complexity/noExcessiveLinesPerFunction");
  });
});
