import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { newFolder } from "../support/new-folder.ts";
import { install, subproject } from "../support/packed.ts";
import { pages } from "../support/pages/blocks.ts";
import { Reader } from "../support/pages/reader.ts";
import { type Program, stepsOf } from "../support/pages/steps.ts";
import { CURRENT } from "../support/versions.ts";
import { run } from "../support/workspace.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));
const project = newFolder(afterAll);
const programs = pages.flatMap((page) => stepsOf(page)).filter((step) => step.kind === "program");
const files = new Map(pages.map((page) => [page, stepsOf(page).filter((step) => step.kind === "file")]));
const tests = programs.filter(({ runner }) => runner === "vitest");

/** What the programs import from frameworks, which are not installed. */
const frameworks = `
declare module "@sveltejs/kit/env" { export function defineEnvVars(variables: object): object }
declare module "$app/env/private" { export const BILLING_TOKEN: string, BILLING_URL: string, WEBHOOK_SECRET: string }
declare module "$app/env" { export const building: boolean, dev: boolean }
declare module "#lib/server/seen" {
  export function sqliteSeen(database: object): import("@billing-service/sdk/${CURRENT}/webhooks").SeenStore;
}
declare module "@/lib/redis" { export const seen: import("@billing-service/sdk/${CURRENT}/webhooks").SeenStore }
declare module "@/lib/billing" {
  export const usage: import("@billing-service/sdk/usage").EventBuffer<import("@billing-service/sdk/${CURRENT}").Event>;
}
declare module "next/server" { export function after(task: () => unknown): void }
declare module "ai" {
  interface Result {
    usage: PromiseLike<{ inputTokens: number | undefined; outputTokens: number | undefined }>;
    finalStep: PromiseLike<{ response: { id: string; modelId: string; timestamp: Date } }>;
    stream: ReadableStream;
  }
  export function streamText(options: { model: string; prompt: string }): Result;
  export function toTextStream(options: { stream: ReadableStream }): ReadableStream<string>;
  export function createTextStreamResponse(options: { stream: ReadableStream<string> }): Response;
}
declare module "@nestjs/common" {
  export function Injectable(): (target: unknown, context: unknown) => void;
  export interface OnApplicationShutdown { onApplicationShutdown(): Promise<void> }
}
`;

/** The packages that the programs import, except Node.js, frameworks and the project itself. */
const imported = [...programs, ...[...files.values()].flat()].flatMap(({ code }) =>
  [...code.matchAll(/from "((?:@[^/"]+\/)?[^/"]+)/g)].map(([, name]) => name ?? ""),
);
const names = [...new Set(imported)].filter(
  (name) => !/^(?:node:|@billing-|\.|\$|#|@$|@sveltejs|next$|ai$|@nestjs)/.test(name),
);
const types = names.map((name) => `@types/${name}`).filter((name) => existsSync(join(root, "node_modules", name)));
/** Those packages, what `/opentelemetry` imports, and what `npx tsc` needs. */
const packages = [...names, ...types, "@opentelemetry/api", "typescript", "@types/node"];

beforeAll(() => install(project, inject("tarball"), packages));

/** Writes programs into a new project, or into a folder of one. */
function write(folder: string, written: readonly Pick<Program, "name" | "code">[]): string {
  const path = subproject(project, folder);
  for (const { name, code } of written) writeFileSync(join(path, name), code);
  return path;
}

/** The strictest common compiler options. */
const compilerOptions = {
  noEmit: true,
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: true,
  target: "es2023",
  module: "nodenext",
  allowImportingTsExtensions: true,
  typeRoots: [join(root, "node_modules/@types")],
  types: ["node"],
};

// A long timeout: a page takes up to 20 seconds on an idle machine.
describe("every code block of the README and the guides, with the packed tarball", { timeout: 300_000 }, () => {
  it("compiles", async () => {
    const typescript = programs.filter(({ name }) => name.endsWith(".mts"));
    const folder = write("types", [...typescript, { name: "frameworks.d.ts", code: frameworks }]);
    for (const [page, written] of files) {
      // A reader may save the first programs as TypeScript.
      const first = written.filter(({ name }) => /^(?:first|usage)\.mjs$/.test(name));
      write(`types/${page}`, [...written, ...first.map(({ name, code }) => ({ name: `${name}.mts`, code }))]);
    }
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions }));
    const { output } = await run(process.execPath, [join(root, "node_modules/typescript-7/bin/tsc")], folder);
    expect(output).toBe("");
  });

  it.concurrent.each(pages)("runs as pasted: %s", async (page) => {
    using reader = new Reader(page, subproject(project, page));
    for (const step of stepsOf(page)) await reader.take(step);
  });

  it("passes in Vitest if it is a Vitest test", async () => {
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    const folder = write("vitest", tests);
    const flags = ["--root", folder, "--reporter=default", "--reporter=json", "--outputFile=report.json"];
    const { output } = await run(process.execPath, [vitest, "run", ...flags], folder);
    const report = JSON.parse(readFileSync(join(folder, "report.json"), "utf8"));
    expect(report.testResults, output).toHaveLength(tests.length);
    expect(report.numPassedTests, output).toBe(report.numTotalTests);
  });
});
