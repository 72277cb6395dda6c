import { spawnSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

/** A file with one import, and the rule of `.dependency-cruiser.mjs` that forbids it; undefined when it is allowed. */
type Case = readonly [file: string, code: string, rule: string | undefined];

const cases: readonly Case[] = [
  ["src/errors/to-version.ts", 'export { contract } from "../../versions/2025-01/index.ts";', "src-project"],
  ["src/to-version-type.ts", 'export type { Scope } from "../versions/2025-01/models/scope.ts";', "src-project"],
  ["src/errors/to-mock.ts", 'export { createMock } from "../../mock/index.ts";', "src-project"],
  ["src/errors/to-msw.ts", 'export { http } from "msw";', "client-mock-libraries"],
  ["src/errors/to-hono.ts", 'export { Hono } from "hono";', "client-mock-libraries"],
  ["src/errors/to-node.ts", 'export { readFileSync } from "node:fs";', "client-node"],
  ["src/usage/sqlite/to-node.ts", 'export { DatabaseSync } from "node:sqlite";', undefined],
  ["src/usage/buffer/to-node.ts", 'export { DatabaseSync } from "node:sqlite";', "client-node"],
  ["src/usage/buffer/to-client.ts", 'export { contract } from "../../contract/index.ts";', "usage"],
  ["src/usage/buffer/to-type.ts", 'export type { Contract } from "../../contract/index.ts";', undefined],
  ["src/errors/to-package.ts", 'export { createClient } from "@billing-service/sdk/2025-01";', "package-outside"],
  ["src/errors/to-test.ts", 'export { answer } from "../../test/support/answer.ts";', "package-outside"],
  ["src/errors/to-src.ts", 'export type { Contract } from "../contract/index.ts";', undefined],
  ["versions/2025-01/to-version.ts", 'export { contract } from "../2024-10/index.ts";', "version-other"],
  [
    "versions/2025-01/models/to-type.ts",
    'export type { Scope } from "../../2024-10/models/scope.ts";',
    "version-other",
  ],
  ["versions/2025-01/dynamic.ts", 'export const late = () => import("../2024-10/index.ts");', "version-other"],
  ["versions/2025-01/roundabout.ts", 'export { contract } from "../../versions/2024-10/index.ts";', "version-other"],
  ["versions/2025-01/to-mock.ts", 'export { createMock } from "../../mock/index.ts";', "version-other"],
  ["versions/2025-01/to-node.ts", 'export { readFileSync } from "node:fs";', "client-node"],
  ["versions/2025-01/to-src.ts", 'export type { Contract } from "../../src/contract/index.ts";', undefined],
  ["versions/2025-01/to-model.ts", 'export { Scope } from "./models/scope.ts";', undefined],
  ["mock/to-version.ts", 'export { contract } from "../versions/2025-01/index.ts";', undefined],
  ["mock/to-src.ts", 'export type { Contract } from "../src/contract/index.ts";', undefined],
  ["mock/to-test.ts", 'export { answer } from "../test/support/answer.ts";', "package-outside"],
  ["mock/to-package.ts", 'export { createMock } from "@billing-service/sdk/mock";', "package-outside"],
  ["mock/state/to-msw.ts", 'export { setupServer } from "msw/node";', "msw-adapter"],
  ["mock/control/to-inspector.ts", 'export { loadPage } from "../inspector/load-page.ts";', "inspector"],
  ["mock/control/to-inspector-type.ts", 'export type { loadPage } from "../inspector/load-page.ts";', "inspector"],
  ["mock/server/to-inspector.ts", 'export { loadPage } from "../inspector/load-page.ts";', undefined],
  ["mock/inspector/page/to-mock.ts", 'export { createMock } from "../../index.ts";', "inspector-page"],
  ["mock/inspector/page/to-type.ts", 'export type { b } from "../../state/cycle-b.ts";', undefined],
  ["mock/webhooks/to-index-type.ts", 'export type { createMock } from "../index.ts";', "mock-webhooks"],
  ["mock/faults/to-webhooks.ts", 'export { emit } from "../webhooks/emit.ts";', "mock-faults"],
  ["mock/journal/to-state.ts", 'export { b } from "../state/cycle-b.ts";', undefined],
  ["mock/time/to-state.ts", 'export { b } from "../state/cycle-b.ts";', "mock-time"],
  ["mock/state/to-validation.ts", 'export { UUID } from "../validation/schema-problems.ts";', undefined],
  ["mock/state/to-engine-type.ts", 'export type { Engine } from "../engine/engine.ts";', "mock-state"],
  ["mock/operations/to-engine.ts", 'export { Engine } from "../engine/engine.ts";', "mock-operations"],
  [
    "mock/webhooks/to-assumptions.ts",
    'export type { Assumptions } from "../assumptions/assumptions.ts";',
    "mock-webhooks",
  ],
  ["mock/engine/to-assumptions.ts", 'export type { Assumptions } from "../assumptions/assumptions.ts";', "mock-engine"],
  ["mock/engine/to-entry-point.ts", 'export { createMock } from "../index.ts";', "mock-engine"],
  ["mock/engine/to-options.ts", 'export { isObject } from "../options/shape.ts";', undefined],
  ["mock/options/to-state.ts", 'export type { b } from "../state/cycle-b.ts";', "mock-options"],
  ["mock/control/to-server.ts", 'export type { b } from "../server/serve.ts";', "mock-control"],
  ["mock/server/to-control.ts", 'export { control } from "../control/control.ts";', undefined],
  ["mock/api/to-engine.ts", 'export { Engine } from "../engine/engine.ts";', undefined],
  ["mock/state/type-cycle-a.ts", 'export type { b as a } from "./type-cycle-b.ts";', "no-cycle"],
  ["mock/inspector/page/to-routes.ts", 'export { controlRoutes } from "../../control/routes/index.ts";', undefined],
  ["mock/control/routes/to-handler.ts", 'export { handlers } from "../handlers/index.ts";', "control-routes"],
  ["mock/control/routes/to-type.ts", 'export type { handlers } from "../handlers/index.ts";', undefined],
  ["mock/connect/to-handler.ts", 'export { handlers } from "../control/handlers/index.ts";', "connect"],
  ["mock/connect/to-routes.ts", 'export { controlRoutes } from "../control/routes/index.ts";', undefined],
  ["mock/server/to-cli.ts", 'export type { run } from "../cli/run.ts";', "server-outer"],
  ["mock/cli/to-terminal.ts", 'export { UsageError } from "../../terminal/usage-error.ts";', undefined],
  ["mock/server/to-terminal.ts", 'export { UsageError } from "../../terminal/usage-error.ts";', "terminal"],
  ["mock/server/to-command.ts", 'export { runBilling } from "../../cli/run-billing.ts";', "command-outer"],
  ["src/errors/to-terminal.ts", 'export { UsageError } from "../../terminal/usage-error.ts";', "src-project"],
  ["versions/2025-01/to-terminal.ts", 'export { UsageError } from "../../terminal/usage-error.ts";', "version-other"],
  ["terminal/to-mock.ts", 'export { createMock } from "../mock/index.ts";', "terminal-imports"],
  ["terminal/to-src.ts", 'export type { Contract } from "../src/contract/index.ts";', undefined],
  ["cli/to-mock.ts", 'export { createMock } from "../mock/index.ts";', "command-imports"],
  ["cli/to-routes.ts", 'export { controlRoutes } from "../mock/control/routes/index.ts";', undefined],
  ["cli/to-version.ts", 'export { contract } from "../versions/2025-01/index.ts";', undefined],
  ["cli/to-test.ts", 'export { answer } from "../test/support/answer.ts";', "package-outside"],
  ["mock/msw/to-msw.ts", 'export { http } from "msw";', undefined],
  ["src/client/fetch-transport.ts", 'export { default } from "ky";', undefined],
  ["src/client/to-ky.ts", 'export { default } from "ky";', "ky"],
  ["versions/2025-01/to-ky.ts", 'export { default } from "ky";', "ky"],
  ["mock/to-ky.ts", 'export { default } from "ky";', "ky"],
  ["mock/state/cycle-a.ts", 'export { b as a } from "./cycle-b.ts";', "no-cycle"],
];

/** The files that the cases import. */
const imported: readonly (readonly [file: string, code: string])[] = [
  ["src/contract/index.ts", "export type Contract = object;"],
  ["versions/2024-10/index.ts", "export const contract = {};"],
  ["versions/2024-10/models/scope.ts", "export type Scope = string;"],
  ["versions/2025-01/index.ts", "export const contract = {};"],
  ["versions/2025-01/models/scope.ts", "export type Scope = string;"],
  ["mock/control/handlers/index.ts", "export const handlers = {};"],
  ["mock/control/routes/index.ts", "export const controlRoutes = {};"],
  ["mock/cli/run.ts", "export const run = 1;"],
  ["terminal/usage-error.ts", "export class UsageError {}"],
  ["cli/run-billing.ts", "export const runBilling = 1;"],
  ["mock/index.ts", "export const createMock = 1;"],
  ["mock/inspector/load-page.ts", "export const loadPage = 1;"],
  ["mock/webhooks/emit.ts", "export const emit = 1;"],
  ["mock/validation/schema-problems.ts", "export const UUID = 1;"],
  ["mock/engine/engine.ts", "export class Engine {}"],
  ["mock/assumptions/assumptions.ts", "export type Assumptions = object;"],
  ["mock/options/shape.ts", "export const isObject = 1;"],
  ["mock/server/serve.ts", "export type b = 1;"],
  ["mock/control/control.ts", "export const control = 1;"],
  ["mock/state/type-cycle-b.ts", 'export type { a as b } from "./type-cycle-a.ts";'],
  ["mock/state/cycle-b.ts", 'export { a as b } from "./cycle-a.ts";'],
  ["test/support/answer.ts", "export const answer = 42;"],
];

const root = join(import.meta.dirname, "../..");

/** Checks the imports of every file in a folder, and names the rules that each file breaks. */
function cruise(folder: string): Map<string, string[]> {
  const command = join(root, "node_modules/.bin/depcruise");
  const { stdout } = spawnSync(command, ["--output-type", "json", "src", "versions", "mock", "cli", "terminal"], {
    cwd: folder,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  const { summary } = JSON.parse(stdout) as { summary: { violations: { from: string; rule: { name: string } }[] } };
  const broken = Map.groupBy(summary.violations, ({ from }) => from);
  return new Map([...broken].map(([file, found]) => [file, found.map(({ rule }) => rule.name)]));
}

describe("the directions of imports", () => {
  const folder = mkdtempSync(join(tmpdir(), "imports-"));
  let broken: Map<string, string[]>;

  beforeAll(() => {
    for (const file of [".dependency-cruiser.mjs", "tsconfig.json", "package.json"]) {
      copyFileSync(join(root, file), join(folder, file));
    }
    symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
    for (const [file, code] of [...imported, ...cases]) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), `${code}\n`);
    }
    broken = cruise(folder);
  });

  afterAll(() => rmSync(folder, { recursive: true }));

  it.each(cases.filter(([, , rule]) => rule !== undefined))("forbid %s: %s", (file, _code, rule) => {
    expect(broken.get(file)).toContain(rule);
  });

  it.each(cases.filter(([, , rule]) => rule === undefined))("allow %s: %s", (file) => {
    expect(broken.get(file)).toBeUndefined();
  });
});
