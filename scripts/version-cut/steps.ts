import { spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { UsageError } from "../../cli/shared/arguments.ts";
import { nextVersion, releaseDates } from "../../src/lifecycle/index.ts";
import { filesToMove, moveFiles } from "./move-versions.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** The versions of a quarterly release, each named after what it is from then on. */
export interface Quarter {
  readonly removed: string;
  readonly deprecated: string;
  readonly current: string;
  readonly next: string;
}

/**
 * Returns the quarterly release that follows: the oldest of three versions is removed, and a new one is added.
 *
 * @throws UsageError unless there are three consecutive versions.
 */
export function quarterAfter(versions: readonly string[]): Quarter {
  const [removed = "", deprecated = "", current = ""] = versions;
  const areConsecutive = versions.slice(1).every((version, index) => version === nextVersion(versions[index] ?? ""));
  if (versions.length !== 3 || !areConsecutive) {
    throw new UsageError(`versions/ must contain three consecutive versions; found ${versions.join(", ") || "none"}.`);
  }
  return { removed, deprecated, current, next: nextVersion(current) };
}

/** Returns what a release changes, as lines for a reader. */
export function describeQuarter({ removed, deprecated, current, next }: Quarter): string {
  const { earliest, latest } = releaseDates(current).current.from;
  return `The release of ${earliest} to ${latest}:
  ${removed}  Deprecated, then removed
  ${deprecated}  Current, then Deprecated
  ${current}  Next, then Current and frozen
  ${next}  new, then Next`;
}

/** A step of a release. */
export interface Step {
  /** What it does, as a sentence without a full stop. */
  readonly title: string;
  /** Throws if it fails. */
  readonly run: () => void;
  /** What to do when it fails, instead of undoing everything. */
  readonly repair?: string;
}

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

/** Returns the changeset of a quarterly release. */
function changesetOf({ removed, deprecated, current, next }: Quarter): string {
  const { earliest } = releaseDates(deprecated).removed;
  return `---
"@billing-service/sdk": major
---

Quarterly release. ${current} is Current, and its contract is frozen. ${deprecated} is Deprecated: move off it before
${earliest}. ${removed} is removed, and its import with it. ${next} is Next: it starts as a copy of ${current}, and may change
at any time. \`versions/${current}/CHANGES.md\` lists what is new.
`;
}
