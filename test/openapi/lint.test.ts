import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { controlOpenApi } from "../../mock/control/openapi.ts";
import { versionNames } from "../../scripts/entry-points.ts";

const root = join(import.meta.dirname, "../..");
const folder = mkdtempSync(join(tmpdir(), "openapi-"));
const versions = versionNames().map((version) => [`${version}.json`, documentText(version)] as const);
const control = ["control.json", JSON.stringify(controlOpenApi())] as const;
const all = [...versions, control];

/** The rules that each document breaks, by the name of its file. */
let broken: ReadonlyMap<string, readonly string[]>;

function documentText(version: string): string {
  return readFileSync(join(root, `versions/${version}/openapi.json`), "utf8");
}

/** Lints the documents in a folder without connecting to the network, and returns the rules that each of them breaks. */
function lint(): Promise<Map<string, string[]>> {
  const program = join(root, "node_modules/.bin/redocly");
  const args = ["lint", ...all.map(([name]) => name), "--config", join(root, "redocly.yaml"), "--format=checkstyle"];
  const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
  return new Promise((resolve) => {
    execFile(program, args, { cwd: folder, env }, (_error, stdout, stderr) => {
      const linted = [...stderr.matchAll(/^(\S+): validated/gm)].map(([, name]) => String(name));
      resolve(new Map(linted.map((name) => [name, rulesFor(name, stdout)])));
    });
  });
}

function rulesFor(name: string, output: string): string[] {
  const [, problems = ""] = new RegExp(`<file name="${name}">(.*?)</file>`, "s").exec(output) ?? [];
  return [...problems.matchAll(/source="([^"]+)"/g)].map(([, rule]) => String(rule));
}

beforeAll(async () => {
  for (const [name, text] of all) writeFileSync(join(folder, name), text);
  broken = await lint();
});

afterAll(() => rmSync(folder, { recursive: true }));

it.each([...versions, control])("%s follows every rule of the linter", (name) => {
  expect(broken.get(name)).toEqual([]);
});
