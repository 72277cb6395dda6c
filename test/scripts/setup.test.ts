import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import { newFolder } from "../support/new-folder.ts";

const LOCK = JSON.stringify({ packages: { "": {}, "node_modules/one": { version: "1.0.0" } } });
const INSTALLED = JSON.stringify({ packages: { "node_modules/one": { version: "1.0.0" } } });

/** Replaces npm: writes the files of an installation, and prints its arguments. */
const NPM = `#!/bin/sh
echo "npm $*" >&2
mkdir -p node_modules && echo '${INSTALLED}' > node_modules/.package-lock.json
exit "\${NPM_STATUS:-0}"
`;

/** Creates a clone without installed packages. */
function clone(): string {
  const folder = newFolder();
  cpSync("scripts/setup.mjs", join(folder, "scripts/setup.mjs"));
  writeFileSync(join(folder, "package-lock.json"), LOCK);
  writeFileSync(join(folder, "scripts/build.ts"), "console.log('built', ...process.argv.slice(2));");
  mkdirSync(join(folder, "bin"));
  writeFileSync(join(folder, "bin/npm"), NPM, { mode: 0o755 });
  return folder;
}

/** Runs `node scripts/setup.mjs` in a clone. */
function setup(folder: string, parameters: readonly string[]) {
  const env = { ...process.env, npm_lifecycle_event: "", PATH: `${folder}/bin:${process.env["PATH"]}` };
  const options = { cwd: folder, encoding: "utf8", env } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, ["scripts/setup.mjs", ...parameters], options);
  return { status, stdout, stderr };
}

const print = ["node", "-e", "console.log(process.argv.slice(1).join()); process.exit(3)", "a b", "--c"];

it.skipIf(process.platform === "win32").each([
  ["nothing if everything in the lock file is installed", { "node_modules/one": { version: "1.0.0" } }, false],
  ["again if the lock file has another version", { "node_modules/one": { version: "1.0.1" } }, true],
  ["again if a package is missing", { "node_modules/two": { version: "1.0.0" } }, true],
  ["nothing if the missing package is optional", { "node_modules/two": { version: "1.0.0", optional: true } }, false],
])("scripts/setup.mjs installs %s", (_, packages, isInstalled) => {
  const folder = clone();
  setup(folder, []);
  writeFileSync(join(folder, "package-lock.json"), JSON.stringify({ packages }));
  const { status, stdout, stderr } = setup(folder, print);
  expect({ status, stdout }).toEqual({ status: 3, stdout: "a b,--c\n" });
  expect(stderr.includes("npm ci")).toBe(isInstalled);
});

it.each(Object.entries(manifest.scripts))("`npm run %s` works in a fresh clone: it installs first", (_, command) => {
  expect(command).toMatch(/^node scripts\/setup\.mjs /);
});
