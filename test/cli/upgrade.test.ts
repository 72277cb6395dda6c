import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { lstatSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, it, onTestFinished, test, vi } from "vitest";
import { replaceFiles } from "../../cli/upgrade.ts";
import { versionNames } from "../../scripts/entry-points.ts";
import { billing, type Ended } from "../support/command.ts";

vi.mock("node:fs", async (original) => {
  const real = await original<typeof import("node:fs")>();
  return { ...real, writeFileSync: vi.fn(real.writeFileSync) };
});

const [deprecated, current, next] = versionNames() as [string, string, string];

/** Writes files into a folder that is removed when the test ends. */
function project(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), "upgrade-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

function textOf(folder: string, path: string): string {
  return readFileSync(join(folder, path), "utf8");
}

/** Runs `billing upgrade` with a folder. */
function upgrade(folder: string, ...args: string[]): Promise<Ended> {
  return billing(["upgrade", folder, ...args]).ended;
}

/** Returns the import path of a version. */
const path = (version: string) => `@billing-service/sdk/${version}`;

const forms = (version: string) => `import { createClient } from "${path(version)}";
import type { Event } from '${path(version)}';
import "${path(version)}/webhooks";
import document from "${path(version)}/openapi.json" with { type: "json" };
import legacy = require("${path(version)}");
const later = await import(\`${path(version)}\`);
type Client = import("${path(version)}").BillingClient;
declare module "${path(version)}" {}
vi.mock(import("${path(version)}"));
jest.mock("${path(version)}", () => ({ ...jest.requireActual("${path(version)}") }));
const page = <p title="it's">Don't import { await import("${path(version)}") }</p>;
export default { external: ["${path(version)}", "${path(version)}/webhooks"] };
// import "${path(version)}"
`;

test("every quoted import path changes, in code, components and pages with code, and no other byte", async () => {
  const ends = ["ts", "mts", "cts", "tsx", "js", "mjs", "cjs", "jsx", "d.ts", "vue", "svelte", "astro", "mdx"];
  const files = (version: string): Record<string, string> => ({
    ...Object.fromEntries(ends.map((end) => [`src/main.${end}`, forms(version)])),
    "comment.ts": `import "${path(version)}"\n// ${path(deprecated)} is old`,
    "pattern.ts": `const pattern = /from "${path(deprecated).replaceAll("/", "\\/")}"/;`,
    "longer.ts": `import "${path(deprecated)}/index.js";\nimport "${path(deprecated)}-beta";`,
    "other.ts": `import "x${path(deprecated)}";\nimport "@billing-service/sdk-extra/${deprecated}";`,
    "bytes.ts": `\uFEFF#!/usr/bin/env node\r\nimport {a}from"${path(version)}"\r\n\tconst é = "😀\u2028"\n\n  `,
    "README.md": `import "${path(deprecated)}";\n`,
  });
  const latin1 = (version: string) => Buffer.from(`import "${path(version)}"; // é`, "latin1");
  const folder = project({ ...files(deprecated), "latin1.ts": latin1(deprecated) });
  expect(await upgrade(folder, "--to", next)).toMatchObject({ code: 0, stderr: "" });
  const names = Object.keys(files(next));
  expect(Object.fromEntries(names.map((name) => [name, textOf(folder, name)]))).toEqual(files(next));
  expect(readFileSync(join(folder, "latin1.ts")).equals(latin1(next))).toBe(true);
});

describe("billing upgrade", () => {
  it("changes every version before the given one, and leaves newer ones", async () => {
    const code = (one: string, other: string) =>
      `import * as a from "${path(one)}";\nimport * as b from "${path(other)}";\nimport * as c from "${path(next)}";\n`;
    const folder = project({ "main.ts": code(deprecated, current), "old.ts": `import "${path("2020-01")}";\n` });
    const dry = await upgrade(folder, "--to", current, "--dry-run");
    expect(dry.stdout).toContain(`Would change 2 imports in 2 files from 2020-01 and ${deprecated} to ${current}:`);
    expect(dry.stdout).toContain("Run the command again without --dry-run.");
    expect(textOf(folder, "main.ts")).toBe(code(deprecated, current));
    const { stdout } = await upgrade(folder, "--to", current);
    expect(textOf(folder, "main.ts")).toBe(code(current, current));
    expect(stdout).toContain(
      `:\n  ${folder}/main.ts:1\n  ${folder}/old.ts:1\nCode that handled 2020-01 and ${deprecated}`,
    );
    expect(stdout).toContain("This package no longer contains 2020-01: read its release notes for what changed since.");
    const all = await upgrade(folder, "--to", next);
    expect(all.stdout).toContain(
      `Changed 3 imports in 2 files from ${current} to ${next}:\n  ${folder}/main.ts:1, 2\n`,
    );
    const none = await upgrade(folder, "--to", next);
    expect(none).toMatchObject({ code: 0, stdout: `Nothing to change: no import to move to ${next} in 2 files.\n` });
  });

  it("moves only the versions of --from, also back to an older one", async () => {
    const code = (one: string, other: string) => `import "${path(one)}";\nimport "${path(other)}";\n`;
    const folder = project({ "main.ts": code(deprecated, next) });
    const { stdout } = await upgrade(folder, "--to", current, "--from", next);
    expect(textOf(folder, "main.ts")).toBe(code(deprecated, current));
    expect(stdout).toContain(`\n# ${next}\n`);
    expect(stdout).not.toContain(`\n# ${current}\n`);
  });

  it("prints CHANGES.md of the versions in between, and the steps that are left", async () => {
    const folder = project({ "main.ts": `import "${path(deprecated)}";\n` });
    const { stdout } = await upgrade(folder, "--to", next);
    expect(stdout).toContain(`\n# ${current}\n\n## Differences from ${deprecated}\n`);
    expect(stdout).toContain(`\n# ${next}\n`);
    expect(stdout).not.toContain("<!--");
    expect(stdout).toContain(`- Search the project for ${deprecated}, for example in paths of tsconfig.json`);
    expect(stdout).toContain("- Compile, and run your tests against the mock, then against the sandbox.\n");
    expect(stdout).toContain(
      `versions: ["${deprecated}", "${next}"] first, then set api_version of your webhook endpoints to ${next}.`,
    );
    expect(stdout).toContain(`- Deploy, and check that the header Service-Version of responses is ${next}.\n`);
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
      unread: [],
      count: 1,
    });
  });
});

describe("the searched files", () => {
  const old = `import "${path(current)}";\n`;
  const isOld = (folder: string, name: string) => textOf(folder, name) === old;

  it("are not those of dependencies, build output and git, links, and very large files", async () => {
    const names = [
      "node_modules/x/index.js",
      "dist/main.js",
      "packages/b/.git/hook.js",
      "packages/a/node_modules/y.ts",
    ];
    const outside = project({ "main.ts": old });
    const folder = project({
      ...Object.fromEntries(names.map((name) => [name, old])),
      ".storybook/main.ts": old,
      "huge.js": old + " ".repeat(6 * 1024 * 1024),
    });
    symlinkSync(outside, join(folder, "linked"));
    symlinkSync(join(outside, "main.ts"), join(folder, "link.ts"));
    const { stdout } = await upgrade(folder, "--to", next);
    expect(stdout).toContain("Changed 1 import in 1 file");
    expect(stdout).toContain(`Not searched (larger than 5 MiB): ${folder}/huge.js\n`);
    expect(names.filter((name) => !isOld(folder, name))).toEqual([]);
    expect(isOld(outside, "main.ts")).toBe(true);
    expect(lstatSync(join(folder, "link.ts")).isSymbolicLink()).toBe(true);
  });

  it("are not those that git ignores, and not guessed if git cannot list them", async () => {
    const folder = project({
      ".gitignore": "out/\n*.gen.ts\n",
      ...{ "out/main.js": old, "api.gen.ts": old, "src/main.ts": old },
      "program.sh": `#!/bin/sh\ntouch was-run\n`,
    });
    fs.chmodSync(join(folder, "program.sh"), 0o755);
    spawnSync("git", ["init", "--quiet"], { cwd: folder });
    // The command must not run what a repository names.
    spawnSync("git", ["config", "core.fsmonitor", join(folder, "program.sh")], { cwd: folder });
    // As for the folder of another owner.
    const refused = await billing(["upgrade", folder, "--to", next], { GIT_TEST_ASSUME_DIFFERENT_OWNER: "1" }).ended;
    expect(refused).toMatchObject({ code: 1, stdout: "" });
    expect(refused.stderr).toMatch(/git .*dubious ownership.*safe\.directory/s);
    const missing = await billing(["upgrade", join(folder, "src"), "--to", next], { PATH: "/nowhere" }).ended;
    expect(missing).toMatchObject({ code: 1, stdout: "" });
    expect(missing.stderr).toContain("git was not found");
    expect(isOld(folder, "src/main.ts")).toBe(true);
    const { stdout } = await upgrade(folder, "--to", next);
    expect(stdout).toContain(`Changed 1 import in 1 file from ${current} to ${next}:\n  ${folder}/src/main.ts:1\n`);
    expect([isOld(folder, "out/main.js"), isOld(folder, "api.gen.ts")]).toEqual([true, true]);
    expect(fs.existsSync(join(folder, "was-run"))).toBe(false);
  });

  it("are all left as they are if one is read-only, or the disk is full", async () => {
    const folder = project({ "a.ts": old, "b.ts": old });
    const replacements = ["a.ts", "b.ts"].map((name) => ({ path: join(folder, name), before: old, after: "new" }));
    fs.chmodSync(join(folder, "b.ts"), 0o444);
    const { code, stdout, stderr } = await upgrade(folder, "--to", next);
    expect({ code, stdout }).toEqual({ code: 1, stdout: "" });
    expect(stderr).toBe(`billing upgrade: ${folder}/b.ts: the file is read-only. The command changed no files.\n`);
    fs.chmodSync(join(folder, "b.ts"), 0o644);
    const { writeFileSync: write } = await vi.importActual<typeof fs>("node:fs");
    vi.mocked(writeFileSync).mockImplementation((file, text, options) => {
      if (text === "new" && String(file).endsWith("b.ts")) throw Object.assign(new Error(), { code: "ENOSPC" });
      write(file, text, options);
    });
    expect(() => replaceFiles(replacements)).toThrow(`${folder}/b.ts: the disk is full. The command changed no files.`);
    expect([isOld(folder, "a.ts"), isOld(folder, "b.ts")]).toEqual([true, true]);
  });
});
