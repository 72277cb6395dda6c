import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, readFileSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it, test } from "vitest";
import { versionNames } from "../../scripts/entry-points.ts";
import { billing, billingFile, type Ended } from "../support/command.ts";
import { newFolder } from "../support/new-folder.ts";

const [deprecated, current, next] = versionNames() as [string, string, string];

/** Writes files into a folder that is removed when the test ends. */
function project(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = newFolder();
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
  return billing(["upgrade", folder, ...args]);
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
    "moved.ts": `  // From "${path(next)}" for now.\nimport "${path(version)}";`,
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
  it("changes every version before the given one, and leaves newer ones, and files that import the given one", async () => {
    const code = (one: string, other: string) =>
      `import * as a from "${path(one)}";\nimport * as b from "${path(other)}";\nimport * as c from "${path("2099-01")}";\n`;
    const both = code(deprecated, current);
    const files = { "main.ts": code(deprecated, deprecated), "old.ts": `import "${path("2020-01")}";\n` };
    const folder = project({ ...files, "both.ts": both });
    const dry = await upgrade(folder, "--to", current, "--dry-run");
    expect(dry.stdout).toContain(`Would change 3 imports in 2 files from 2020-01 and ${deprecated} to ${current}:`);
    expect(dry.stdout).toContain("Run the command again without --dry-run.");
    expect(textOf(folder, "main.ts")).toBe(code(deprecated, deprecated));
    const { stdout, stderr } = await upgrade(folder, "--to", current);
    expect(textOf(folder, "main.ts")).toBe(code(current, current));
    expect(textOf(folder, "both.ts")).toBe(both);
    expect(stderr).toContain(`${folder}/both.ts: skipped, it already imports ${current} besides ${deprecated}.`);
    expect(stdout).toContain(
      `:\n  ${folder}/main.ts:1, 2\n  ${folder}/old.ts:1\nCode that handled 2020-01 and ${deprecated}`,
    );
    expect(stdout).toContain("This package no longer contains 2020-01: read its release notes for what changed since.");
    const all = await upgrade(folder, "--to", next);
    expect(all.stdout).toContain(
      `Changed 5 imports in 3 files from ${deprecated} and ${current} to ${next}:\n  ${folder}/both.ts:1, 2\n`,
    );
    const none = await upgrade(folder, "--to", next);
    expect(none).toMatchObject({ code: 0, stdout: `No import to move to ${next} in 3 files; 0 skipped.\n` });
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
      `versions: ["${deprecated}"] first, then set api_version of your webhook endpoints to ${next}.`,
    );
    expect(stdout).toContain(`- Deploy, and check that the header Service-Version of responses is ${next}.\n`);
  });

  it("prints one line of JSON with --json, also for many imports", async () => {
    const count = 200_000;
    const folder = project({ "main.ts": `import "${path(current)}";\n`.repeat(count) });
    const { stdout } = await upgrade(folder, "--to", next, "--json");
    expect(stdout).toMatch(/^.+\n$/);
    const result = JSON.parse(stdout);
    expect(result.files[0].imports[count - 1]).toEqual({ version: current, line: count });
    expect(result).toEqual({
      to: next,
      dryRun: false,
      from: [current],
      files: [{ path: `${folder}/main.ts`, imports: expect.any(Array) }],
      skipped: [],
      changes: [expect.stringMatching(new RegExp(`^# ${next}\n`))],
      count: 1,
    });
  });
});

it("the files of dependencies, build output and git, links, and files of over 100 MB are not searched", async () => {
  const old = `import "${path(current)}";\n`;
  const names = ["node_modules/x/index.js", "dist/main.js", "packages/b/.git/hook.js", "packages/a/node_modules/y.ts"];
  const outside = project({ "main.ts": old });
  const folder = project(Object.fromEntries([...names, ".storybook/main.ts"].map((name) => [name, old])));
  symlinkSync(outside, join(folder, "linked"));
  symlinkSync(join(outside, "main.ts"), join(folder, "link.ts"));
  writeFileSync(join(folder, "huge.js"), "");
  truncateSync(join(folder, "huge.js"), 100_000_001);
  const { stdout, stderr } = await upgrade(folder, "--to", next);
  expect(stdout).toContain("Changed 1 import in 1 file");
  expect(stderr).toBe(`billing upgrade: ${folder}/huge.js: skipped, larger than 100 MB.\n`);
  expect(names.filter((name) => textOf(folder, name) !== old)).toEqual([]);
  expect(textOf(outside, "main.ts")).toBe(old);
  expect(lstatSync(join(folder, "link.ts")).isSymbolicLink()).toBe(true);
});

it("a file that cannot be written keeps its content and ends the command", () => {
  const old = `import "${path(current)}";\n`;
  const folder = project({ "a.ts": old });
  // A process that may write nothing to files, as on a full disk.
  const args = ["-c", 'ulimit -f 0; exec "$@"', "sh", process.execPath, billingFile, "upgrade", folder, "--to", next];
  const { status, stderr } = spawnSync("sh", args, { encoding: "utf8" });
  const problem = "cannot be read or written (EFBIG). Files before it are changed; run the command again.";
  expect(stderr).toContain(`${folder}/a.ts: ${problem}`);
  expect(status).toBe(1);
  expect(textOf(folder, "a.ts")).toBe(old);
});
