import { spawnSync } from "node:child_process";
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { versionNames } from "../../scripts/entry-points.ts";
import { billing } from "../support/command.ts";
import { project, textOf, upgrade } from "./upgrade-support.ts";

const [deprecated, current, next] = versionNames() as [string, string, string];

/** Returns the import path of a version. */
const path = (version: string, below = "") => `@billing-service/sdk/${version}${below}`;

/** Upgrades files from the oldest to the newest version, and returns their texts. */
async function upgraded(files: Readonly<Record<string, string>>): Promise<Record<string, string>> {
  const folder = project(files);
  const { code, stderr } = await upgrade(folder, "--to", next);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return Object.fromEntries(Object.keys(files).map((name) => [name, textOf(folder, name)]));
}

describe("the import of a version", () => {
  const forms = (version: string) => `import { createClient } from "${path(version)}";
import type { Event } from '${path(version)}';
import "${path(version)}/webhooks";
import document from "${path(version)}/openapi.json" with { type: "json" };
export * from "${path(version)}";
export type { Scope } from "${path(version)}/webhooks";
import legacy = require("${path(version)}");
const later = await import(\`${path(version)}\`);
const common = require( "${path(version)}" ), where = require.resolve("${path(version)}");
const url = import.meta.resolve("${path(version)}");
type Client = import("${path(version)}").BillingClient;
declare module "${path(version)}" {}
jest.mock("${path(version)}", () => ({ ...jest.requireActual("${path(version)}") }));
vi.mock(import("${path(version)}"));
vi.doMock("${path(version)}/webhooks");
await vi.importActual<typeof import("${path(version)}")>("${path(version)}");
await vi.importActual<Map<string, Array<string>>>("${path(version)}");
mock.module("${path(version)}", {});
`;

  it("is changed in every form", async () => {
    const ends = ["ts", "mts", "cts", "tsx", "js", "mjs", "cjs", "jsx"];
    const files = (version: string) => Object.fromEntries(ends.map((end) => [`main.${end}`, forms(version)]));
    expect(await upgraded(files(deprecated))).toEqual(files(next));
  });

  it("is changed in components and pages with code", async () => {
    const files = (version: string) => ({
      "a.vue": `<script setup>\nimport "${path(version)}";\n</script>\n`,
      "b.svelte": `<script>\nimport "${path(version)}";\n</script>\n`,
      "c.astro": `---\nimport "${path(version)}";\n---\n`,
      "d.mdx": `import "${path(version)}";\n\n# Title\n`,
    });
    expect(await upgraded(files(deprecated))).toEqual(files(next));
  });

  it("is changed in a reference to types", async () => {
    const reference = (version: string) => `/// <reference types="${path(version)}" />\n`;
    expect(await upgraded({ "a.d.ts": reference(deprecated) })).toEqual({ "a.d.ts": reference(next) });
  });

  it("is changed after JSX and type parameters", async () => {
    const code = (version: string) => `const pick = <T,>(list: T[]) => list[0];
const keep = <T extends string>(value: T) => value;
const page = <p title="it's">Don't import { await import("${path(version)}") }</p>;
const text = \`\${await import("${path(version)}")}\`;
const pattern = /["'\`]/.test(x);
export * from "${path(version)}";
`;
    expect(await upgraded({ "page.tsx": code(deprecated) })).toEqual({ "page.tsx": code(next) });
  });

  it("is changed in every quoted path, also of a comment or a configuration, and nowhere else", async () => {
    const files = (version: string) => ({
      "comment.ts": `// import "${path(version)}"\n// ${path(deprecated)} is old`,
      "config.ts": `export default { external: ["${path(version)}", "${path(version)}/webhooks"] };`,
      "pattern.ts": `const pattern = /from "${path(deprecated).replaceAll("/", "\\/")}"/;`,
      "longer.ts": `import "${path(deprecated)}/index.js";\nimport "${path(deprecated)}-beta";`,
      "other.ts": `import "x${path(deprecated)}";\nimport "@billing-service/sdk-extra/${deprecated}";`,
    });
    expect(await upgraded(files(deprecated))).toEqual(files(next));
  });

  it("is changed without touching any other byte", async () => {
    const code = (version: string) =>
      `\uFEFF#!/usr/bin/env node\r\nimport {createClient}from"${path(version)}"\r\n\tconst é = "😀\u2028"\n\n  `;
    expect(await upgraded({ "main.ts": code(deprecated) })).toEqual({ "main.ts": code(next) });
  });
});

describe("billing upgrade", () => {
  it("changes every version before the given one, also in one file, and leaves newer ones", async () => {
    const code = (one: string, other: string) =>
      `import * as a from "${path(one)}";\nimport * as b from "${path(other)}";\nimport * as c from "${path(next)}";\n`;
    const folder = project({ "main.ts": code(deprecated, current) });
    const { stdout } = await upgrade(folder, "--to", current);
    expect(textOf(folder, "main.ts")).toBe(code(current, current));
    expect(stdout).toContain(`Changed 1 import in 1 file from ${deprecated} to ${current}:\n  ${folder}/main.ts:1\n`);
    expect(stdout).toContain(`Not changed: ${next}: ${folder}/main.ts:3\n`);
    const all = await upgrade(folder, "--to", next);
    expect(all.stdout).toContain(`Changed 2 imports in 1 file from ${current} to ${next}:\n  ${folder}/main.ts:1, 2\n`);
  });

  it("says that two versions became one", async () => {
    const folder = project({ "a.ts": `import "${path(deprecated)}";\n`, "b.ts": `import "${path(current)}";\n` });
    const { stdout } = await upgrade(folder, "--to", next);
    expect(stdout).toContain(`Changed 2 imports in 2 files from ${deprecated} and ${current} to ${next}:`);
    expect(stdout).toContain(`Code that handled ${deprecated} and ${current} differently now gets ${next} everywhere.`);
  });

  it("moves only the versions of --from, also back to an older one", async () => {
    const code = (one: string, other: string) => `import "${path(one)}";\nimport "${path(other)}";\n`;
    const folder = project({ "main.ts": code(deprecated, next) });
    await upgrade(folder, "--to", current, "--from", next);
    expect(textOf(folder, "main.ts")).toBe(code(deprecated, current));
  });

  it("moves a version that the package no longer contains, and says that its differences are unknown", async () => {
    const folder = project({ "main.ts": `import "${path("2020-01")}";\n` });
    const { stdout } = await upgrade(folder, "--to", next);
    expect(textOf(folder, "main.ts")).toBe(`import "${path(next)}";\n`);
    expect(stdout).toContain("This package no longer contains 2020-01: read its release notes for what changed since.");
  });

  it("changes nothing with --dry-run", async () => {
    const folder = project({ "main.ts": `import "${path(current)}";\n` });
    const { stdout } = await upgrade(folder, "--to", next, "--dry-run");
    expect(stdout).toContain(`Would change 1 import in 1 file from ${current} to ${next}:\n  ${folder}/main.ts:1\n`);
    expect(stdout).toContain("Run the command again without --dry-run.");
    expect(textOf(folder, "main.ts")).toBe(`import "${path(current)}";\n`);
    expect(readdirSync(folder)).toEqual(["main.ts"]);
  });

  it("says what remains to be done, and where old versions are left", async () => {
    const folder = project({
      "main.ts": `import "${path(current)}";\n\nupdateEndpoint(id, { api_version: "${current}" });\n// ${path(current)}\n`,
      "guide.md": `\`\`\`ts\nimport "${path(current)}";\n`,
    });
    const { stdout } = await upgrade(folder, "--to", next);
    const left = `Not changed, because these are not imports: ${folder}/guide.md:2, ${folder}/main.ts:4\n`;
    expect(stdout).toContain(left);
    expect(stdout).toContain("- Compile, and run your tests against the mock, then against the sandbox.\n");
    expect(stdout).toContain(
      `versions: ["${current}", "${next}"] first, then set api_version of your webhook endpoints to ${next}.`,
    );
    expect(stdout).toContain(`Old versions in strings: ${folder}/main.ts:3.\n`);
    expect(stdout).toContain(`- Deploy, and check that the header Service-Version of responses is ${next}.\n`);
  });

  it("prints CHANGES.md of the versions in between, without the marks of its generated part", async () => {
    const folder = project({ "main.ts": `import "${path(deprecated)}";\n` });
    const { stdout } = await upgrade(folder, "--to", next);
    expect(stdout).toContain(`\n# ${current}\n\n## Differences from ${deprecated}\n`);
    expect(stdout).toContain(`\n# ${next}\n`);
    expect(stdout).not.toContain("<!--");
    const { stdout: one } = await upgrade(folder, "--to", current, "--from", next);
    expect(one).toContain(`\n# ${next}\n`);
    expect(one).not.toContain(`\n# ${current}\n`);
  });

  it("succeeds when there is nothing to change", async () => {
    const folder = project({ "main.ts": `import "${path(next)}";\n` });
    const { code, stdout } = await upgrade(folder, "--to", next);
    expect({ code, stdout }).toEqual({
      code: 0,
      stdout: `Nothing to change: no import to move to ${next} in 1 file.\n`,
    });
  });

  it("prints one line of JSON with --json", async () => {
    const folder = project({ "main.ts": `import "${path(current)}";\n` });
    const { stdout } = await upgrade(folder, "--to", next, "--json");
    expect(stdout).toMatch(/^.+\n$/);
    expect(JSON.parse(stdout)).toEqual({
      to: next,
      dryRun: false,
      from: [current],
      files: [{ path: `${folder}/main.ts`, imports: [{ version: current, line: 1 }] }],
      changes: [expect.stringMatching(new RegExp(`^# ${next}\n`))],
      kept: [],
      unchanged: [],
      versionStrings: [],
      unread: [],
      count: 1,
    });
  });
});

describe("the searched files", () => {
  const old = `import "${path(current)}";\n`;
  const isOld = (folder: string, name: string) => textOf(folder, name) === old;

  it("are not those of dependencies, build output and git, or links", async () => {
    const names = [
      "node_modules/x/index.js",
      "dist/main.js",
      "packages/b/.git/hook.js",
      "packages/a/node_modules/y.ts",
    ];
    const outside = project({ "main.ts": old });
    const folder = project({ ...Object.fromEntries(names.map((name) => [name, old])), ".storybook/main.ts": old });
    symlinkSync(outside, join(folder, "linked"));
    symlinkSync(join(outside, "main.ts"), join(folder, "link.ts"));
    const { stdout } = await upgrade(folder, "--to", next);
    expect(stdout).toContain("Changed 1 import in 1 file");
    expect(names.filter((name) => !isOld(folder, name))).toEqual([]);
    expect(isOld(outside, "main.ts")).toBe(true);
    expect(lstatSync(join(folder, "link.ts")).isSymbolicLink()).toBe(true);
  });

  it("are not those that git ignores", async () => {
    const folder = project({
      ".gitignore": "out/\n*.gen.ts\n",
      "out/main.js": old,
      "api.gen.ts": old,
      "src/main.ts": old,
    });
    spawnSync("git", ["init", "--quiet"], { cwd: folder });
    const { stdout } = await upgrade(folder, "--to", next);
    expect(stdout).toContain(`Changed 1 import in 1 file from ${current} to ${next}:\n  ${folder}/src/main.ts:1\n`);
    expect([isOld(folder, "out/main.js"), isOld(folder, "api.gen.ts")]).toEqual([true, true]);
  });

  it("are not guessed if git cannot list them", async () => {
    const folder = project({ ".gitignore": "out/\n", "out/main.js": old, "src/main.ts": old });
    spawnSync("git", ["init", "--quiet"], { cwd: folder });
    // As for the folder of another owner.
    const refusing = { GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" };
    const refused = await billing(["upgrade", folder, "--to", next], refusing).ended;
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toMatch(/git .*dubious ownership.*safe\.directory/s);
    const missing = await billing(["upgrade", join(folder, "src"), "--to", next], { PATH: "/nowhere" }).ended;
    expect(missing).toMatchObject({ code: 1, stdout: "" });
    expect(missing.stderr).toContain("git was not found");
    expect([isOld(folder, "out/main.js"), isOld(folder, "src/main.ts")]).toEqual([true, true]);
  });

  it("are named if they cannot be read as text", async () => {
    const bytes = Buffer.concat([Buffer.from(old), Buffer.from([0xe9, 0xff])]);
    const folder = project({ "latin.ts": bytes, "huge.js": old + " ".repeat(6 * 1024 * 1024) });
    const { stdout } = await upgrade(folder, "--to", next);
    expect(stdout).toContain(`Not searched (larger than 5 MiB, or not UTF-8): ${folder}/huge.js, ${folder}/latin.ts\n`);
    expect(readFileSync(join(folder, "latin.ts")).equals(bytes)).toBe(true);
  });

  it("keep their permissions", async () => {
    const folder = project({ "bin.js": old });
    chmodSync(join(folder, "bin.js"), 0o750);
    await upgrade(folder, "--to", next);
    expect(statSync(join(folder, "bin.js")).mode & 0o777).toBe(0o750);
  });

  it("are all left as they are if one cannot be written", async () => {
    const folder = project({ "a.ts": old, "b.ts": old });
    chmodSync(join(folder, "b.ts"), 0o444);
    const { code, stdout, stderr } = await upgrade(folder, "--to", next);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(`billing upgrade: ${folder}/b.ts: the file is read-only. The command changed no files.\n`);
    expect([isOld(folder, "a.ts"), isOld(folder, "b.ts"), readdirSync(folder)]).toEqual([true, true, ["a.ts", "b.ts"]]);
  });
});

test.each([
  [["--to", `${next}0`], `--to: unknown API version "${next}0". Did you mean "${next}"?`],
  [["--to", "1999-01"], `--to: unknown API version "1999-01"; expected one of: ${versionNames().join(", ")}`],
  [[], `--to is missing; expected one of: ${versionNames().join(", ")}.`],
  [["--to", next, "--from", "soon"], `--from must be an API version such as ${current}, not "soon".`],
  [["--to", next, "other"], "expected 1 argument; received 2. Quote values with spaces."],
])("%j is a usage error", async (args, message) => {
  const { code, stderr } = await upgrade(project({}), ...args);
  expect({ code, stderr }).toEqual({ code: 2, stderr: `billing upgrade: ${message}\n` });
});

test("a folder that does not exist, and a file, are usage errors", async () => {
  const folder = project({ "main.ts": "" });
  expect((await upgrade(join(folder, "none"), "--to", next)).stderr).toContain("none: not found.");
  expect((await upgrade(join(folder, "main.ts"), "--to", next)).stderr).toContain("main.ts is not a folder.");
});
