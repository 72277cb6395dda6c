import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { changesetOf } from "./changeset.ts";
import { filesToMove, moveFiles } from "./move-files.ts";
import type { Quarter } from "./quarter.ts";
import { root } from "./root.ts";
import type { Step } from "./run-steps.ts";

/** Returns the steps of a quarterly release, up to publishing. */
export function stepsOf(quarter: Quarter, { test }: { readonly test: boolean }): readonly Step[] {
  const { removed, current, next } = quarter;
  const changeset = `.changeset/release-${current}.md`;
  const files = filesToMove();
  const steps: Step[] = [
    { title: `Delete versions/${removed}`, run: () => rmSync(join(root, "versions", removed), { recursive: true }) },
    { title: `Copy versions/${current} to versions/${next}`, run: () => copyVersion(quarter) },
    { title: `Move the names of versions in ${files.length} files to the next quarter`, run: () => moveFiles(files) },
    { title: `Write ${changeset}`, run: () => writeFileSync(join(root, changeset), changesetOf(quarter)) },
    { title: "npm run version-packages", run: () => versionPackages(changeset) },
  ];
  const repair = "Fix what the tests report, and run npm test again.";
  return test ? [...steps, { title: "npm test", run: () => node("scripts/verify.ts"), repair }] : steps;
}

/** Copies Next to the version after it, under its name. */
function copyVersion({ current, next }: Quarter): void {
  const copy = join(root, "versions", next);
  cpSync(join(root, "versions", current), copy, { recursive: true, errorOnExist: true, force: false });
  // The differences from the version before are generated; nothing else of it is true for the copy.
  rmSync(join(copy, "CHANGES.md"));
  for (const file of globSync("**/*", { cwd: copy }).map((name) => join(copy, name))) {
    if (statSync(file).isDirectory()) continue;
    writeFileSync(file, readFileSync(file, "utf8").replaceAll(current, next));
  }
}

/** Writes the changelog, the new major version of the package, and the generated files. */
function versionPackages(changeset: string): void {
  const before = majorVersion();
  node("node_modules/@changesets/cli/bin.js", "version");
  node("scripts/generate.ts");
  if (existsSync(join(root, changeset)) || majorVersion() === before) {
    throw new Error(`changesets did not use ${changeset}: package.json still has the major version ${before}.`);
  }
}

function majorVersion(): string | undefined {
  return JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version.split(".")[0];
}

function node(program: string, ...parameters: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [program, ...parameters], { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error(`${program} exited with ${status}; see its messages above.`);
}
