import { execFile } from "node:child_process";
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { setup } from "../support/built.ts";

/**
 * The TypeScript on the pages. A block that imports begins a program, and the blocks after it that do not import go on
 * with it. Every program is checked by the compiler, and is run: one that imports Vitest as a test, any other as a
 * program of Node. Spared are programs for a browser, and those with a comment `<!-- not run: why -->` in front of the
 * block that begins them.
 */
interface Program {
  readonly name: string;
  readonly page: string;
  /** The page with everything blank that is not of this program, so that errors name the lines of the page. */
  readonly code: string;
  readonly kind: "program" | "test" | "not run";
}

const root = fileURLToPath(new URL("../../", import.meta.url));
const project = mkdtempSync(join(tmpdir(), "pages-"));
const programs = ["README.md", ...globSync("docs/*.md", { cwd: root })].flatMap(programsOf);
const ofKind = (kind: Program["kind"]) => programs.filter((program) => program.kind === kind);

function programsOf(page: string): Program[] {
  const lines = readFileSync(join(root, page), "utf8").split("\n");
  const found: { code: string[]; spared: boolean }[] = [];
  let inside = false;
  lines.forEach((line, index) => {
    if (inside && /^\s*```\s*$/.test(line)) inside = false;
    if (inside) (found.at(-1) as { code: string[] }).code[index] = line;
    if (!/^\s*```ts\s*$/.test(line)) return;
    inside = true;
    const end = lines.findIndex((other, at) => at > index && /^\s*```\s*$/.test(other));
    const begins = lines.slice(index + 1, end).some((other) => /^\s*import\b/.test(other));
    const before = lines.slice(0, index).findLast((other) => other.trim() !== "") ?? "";
    if (begins || found.length === 0)
      found.push({ code: lines.map(() => ""), spared: /<!-- not run:.*-->/.test(before) });
  });
  return found.map(({ code, spared }, index) => program(page, index + 1, code.join("\n"), spared));
}

function program(page: string, number: number, code: string, spared: boolean): Program {
  const isTest = /from "(vitest|@billing-service\/sdk\/mock\/vitest)"/.test(code);
  const kind = spared || code.includes("/mock/browser") ? "not run" : isTest ? "test" : "program";
  return { page, code, kind, name: `${basename(page, ".md")}-${number}${isTest ? ".test" : ""}.ts` };
}

/** A project of a user who has installed the package, and whatever else the programs import. */
beforeAll(async () => {
  await setup();
  writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type: "module" }));
  writeFileSync(join(project, "service.mjs"), SERVICE);
  for (const { name, code } of programs) writeFileSync(join(project, name), code);
  install("@billing-service/sdk", root);
  for (const name of imported()) install(name, join(root, "node_modules", name));
}, 120_000);

function install(name: string, folder: string): void {
  const place = join(project, "node_modules", name);
  mkdirSync(dirname(place), { recursive: true });
  symlinkSync(folder, place, "dir");
}

/** The packages that the programs import besides this one. */
function imported(): Set<string> {
  const names = programs.flatMap(({ code }) =>
    [...code.matchAll(/from "((?:@[^/"]+\/)?[^/"]+)/g)].map(([, name]) => name ?? ""),
  );
  return new Set(names.filter((name) => !name.startsWith("node:") && name !== "@billing-service/sdk"));
}

afterAll(() => rmSync(project, { recursive: true, force: true }));

/** What is loaded before a program that knows no mock: the service, and the token in the environment. */
const SERVICE = `
  import { createMock } from "@billing-service/sdk/mock/node";
  const mock = createMock();
  process.env.BILLING_TOKEN = mock.issueToken();
  mock.listen();
`;

const execute = promisify(execFile);

/** Runs Node in the project. The variables of this test run are not for the programs in it. */
async function node(...parameters: string[]): Promise<string> {
  const own = Object.entries(process.env).filter(([name]) => !/^(VITEST|NODE_OPTIONS|DOOR)/.test(name));
  const options = { cwd: project, env: Object.fromEntries(own), timeout: 60_000 };
  const { stdout } = await execute(process.execPath, parameters, options).catch((error) => {
    throw new Error(
      `${parameters.join(" ")}:\n${error.stdout}\n${error.stderr}\n${error.killed ? "It did not end." : ""}`,
    );
  });
  return stdout;
}

describe("the TypeScript on the pages", () => {
  it("is accepted by the compiler", { timeout: 60_000 }, () => {
    const options: ts.CompilerOptions = {
      noEmit: true,
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: true,
      target: ts.ScriptTarget.ES2023,
      module: ts.ModuleKind.NodeNext,
      moduleDetection: ts.ModuleDetectionKind.Force,
      typeRoots: [join(root, "node_modules/@types")],
      types: ["node"],
    };
    const files = programs.map(({ name }) => join(project, name));
    const faults = ts.getPreEmitDiagnostics(ts.createProgram(files, options)).map(({ file, start, messageText }) => {
      const { page } = programs.find(({ name }) => name === basename(file?.fileName ?? "")) ?? {};
      const line = file === undefined ? 0 : file.getLineAndCharacterOfPosition(start ?? 0).line + 1;
      return `${page ?? file?.fileName}:${line} ${ts.flattenDiagnosticMessageText(messageText, "\n")}`;
    });
    expect(faults).toEqual([]);
  });

  it.concurrent.each(ofKind("program"))("runs: $name", { timeout: 60_000 }, async ({ name, code }) => {
    const knowsMock = code.includes("@billing-service/sdk/mock");
    await node(...(knowsMock ? [] : ["--import", "./service.mjs"]), name);
  });

  it("passes, where it is a test", { timeout: 60_000 }, async () => {
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    await node(vitest, "run", "--root", project, "--reporter=default", "--reporter=json", "--outputFile=report.json");
    const report = JSON.parse(readFileSync(join(project, "report.json"), "utf8"));
    expect(report.testResults).toHaveLength(ofKind("test").length);
    expect(report.numPassedTests).toBe(report.numTotalTests);
  });
});
