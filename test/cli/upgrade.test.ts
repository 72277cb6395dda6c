import { spawnSync } from "node:child_process";
import { lstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { billing, billingFile, type Ended } from "../support/command.ts";
import { newFolder } from "../support/new-folder.ts";
import { CURRENT, DEPRECATED, NEXT } from "../support/versions.ts";

/** Writes files into a folder that is removed when the test ends. */
function project(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = newFolder();
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return folder;
}

const textOf = (folder: string, path: string) => readFileSync(join(folder, path), "utf8");

/** Runs `billing upgrade` with a folder. */
const upgrade = (folder: string, ...args: string[]): Promise<Ended> => billing(["upgrade", folder, ...args]);

/** Returns the import path of a version. */
const path = (version: string) => `@billing-service/sdk/${version}`;

const forms = (version: string) => `import { createClient } from "${path(version)}";
import type { Event } from '${path(version)}';
import "${path(version)}/webhooks";
import document from "${path(version)}/openapi.json" with { type: "json" };
const later = await import(\`${path(version)}\`);
jest.mock("${path(version)}", () => ({ ...jest.requireActual("${path(version)}") }));
// import "${path(version)}"
`;

test("every quoted import path changes, in code, components and pages with code, and no other byte", async () => {
  const ends = ["ts", "mts", "cts", "tsx", "js", "mjs", "cjs", "jsx", "d.ts", "vue", "svelte", "astro", "mdx"];
  const files = (version: string): Record<string, string> => ({
    ...Object.fromEntries(ends.map((end) => [`src/main.${end}`, forms(version)])),
    "moved.ts": `  // From "${path(NEXT)}" for now.\nimport "${path(version)}";`,
    "longer.ts": `import "${path(DEPRECATED)}/index.js";\nimport "${path(DEPRECATED)}-beta";`,
    "other.ts": `import "x${path(DEPRECATED)}";\nimport "@billing-service/sdk-extra/${DEPRECATED}";`,
    "bytes.ts": `\uFEFF#!/usr/bin/env node\r\nimport {a}from"${path(version)}"\r\n\tconst é = "😀\u2028"\n\n  `,
    "README.md": `import "${path(DEPRECATED)}";\n`,
  });
  const latin1 = (version: string) => Buffer.from(`import "${path(version)}"; // é`, "latin1");
  const folder = project({ ...files(DEPRECATED), "latin1.ts": latin1(DEPRECATED) });
  expect(await upgrade(folder, "--to", NEXT)).toMatchObject({ code: 0, stderr: "" });
  const names = Object.keys(files(NEXT));
  expect(Object.fromEntries(names.map((name) => [name, textOf(folder, name)]))).toEqual(files(NEXT));
  expect(readFileSync(join(folder, "latin1.ts")).equals(latin1(NEXT))).toBe(true);
});

test("changes every version before the given one, and prints the differences and the steps that are left", async () => {
  const code = (one: string, other: string) =>
    `import * as a from "${path(one)}";\nimport * as b from "${path(other)}";\nimport * as c from "${path("2099-01")}";\n`;
  const both = code(DEPRECATED, CURRENT);
  const folder = project({
    "main.ts": code(DEPRECATED, DEPRECATED),
    "old.ts": `import "${path("2020-01")}";\n`,
    "both.ts": both,
  });
  const dry = await upgrade(folder, "--to", CURRENT, "--dry-run");
  expect(dry.stdout).toContain(`Would change 3 imports in 2 files from 2020-01 and ${DEPRECATED} to ${CURRENT}:`);
  expect(textOf(folder, "main.ts")).toBe(code(DEPRECATED, DEPRECATED));
  const { stdout, stderr } = await upgrade(folder, "--to", CURRENT);
  expect([textOf(folder, "main.ts"), textOf(folder, "both.ts")]).toEqual([code(CURRENT, CURRENT), both]);
  expect(stderr).toContain(`${folder}/both.ts: skipped, it already imports ${CURRENT} besides ${DEPRECATED}.`);
  expect(stdout).toContain("For 2020-01, which this package no longer has, read its release notes.");
  const all = await upgrade(folder, "--to", NEXT);
  expect(all.stdout).toContain(`Changed 5 imports in 3 files from ${DEPRECATED} and ${CURRENT} to ${NEXT}:`);
  expect(all.stdout).toContain(`\n# ${CURRENT}\n\n## Differences from ${DEPRECATED}\n`);
  expect(all.stdout).toContain(`\n# ${NEXT}\n`);
  expect(all.stdout).not.toContain("<!--");
  expect(all.stdout).toContain(`    versions: ["${DEPRECATED}","${CURRENT}"] first, then set api_version of`);
  expect((await upgrade(folder, "--to", NEXT)).stdout).toBe(`No import to move to ${NEXT} in 3 files.\n`);
});

test("the files of dependencies, build output and git, and links are not searched", async () => {
  const old = `import "${path(CURRENT)}";\n`;
  const names = ["node_modules/x/index.js", "dist/main.js", "packages/b/.git/hook.js", "packages/a/node_modules/y.ts"];
  const outside = project({ "main.ts": old });
  const folder = project(Object.fromEntries([...names, ".storybook/main.ts"].map((name) => [name, old])));
  symlinkSync(outside, join(folder, "linked"));
  symlinkSync(join(outside, "main.ts"), join(folder, "link.ts"));
  expect((await upgrade(folder, "--to", NEXT)).stdout).toContain("Changed 1 imports in 1 files");
  expect(names.filter((name) => textOf(folder, name) !== old)).toEqual([]);
  expect([textOf(outside, "main.ts"), lstatSync(join(folder, "link.ts")).isSymbolicLink()]).toEqual([old, true]);
});

test("a file that cannot be written keeps its content and ends the command", () => {
  const old = `import "${path(CURRENT)}";\n`;
  const folder = project({ "a.ts": old });
  // A process that may write nothing to files, as on a full disk.
  const args = ["-c", 'ulimit -f 0; exec "$@"', "sh", process.execPath, billingFile, "upgrade", folder, "--to", NEXT];
  const { status, stderr } = spawnSync("sh", args, { encoding: "utf8" });
  const problem = "cannot be read or written (EFBIG). Files before it are changed; run the command again.";
  expect([status, stderr, textOf(folder, "a.ts")]).toEqual([1, expect.stringContaining(problem), old]);
});
