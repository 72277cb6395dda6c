import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, existsSync, globSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nextVersion, releaseDates } from "../src/lifecycle/index.ts";

/** The folder of the project. */
export const root: string = fileURLToPath(new URL("../", import.meta.url));

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
 * @throws Error unless there are three consecutive versions.
 */
export function quarterAfter(versions: readonly string[]): Quarter {
  const [removed = "", deprecated = "", current = ""] = versions;
  const areConsecutive = deprecated === nextVersion(removed) && current === nextVersion(deprecated);
  if (versions.length !== 3 || !areConsecutive) {
    throw new Error(`versions/ must contain three consecutive versions; found ${versions.join(", ") || "none"}.`);
  }
  return { removed, deprecated, current, next: nextVersion(current) };
}

/** A step of a release. It throws if it fails. */
export interface Step {
  /** What it does, as a sentence without a full stop. */
  readonly title: string;
  readonly run: () => void;
}

/** Returns the steps of a quarterly release, up to publishing. */
export function stepsOf(quarter: Quarter, { test }: { readonly test: boolean }): readonly Step[] {
  const { removed, current, next } = quarter;
  const changeset = `.changeset/release-${current}.md`;
  const files = filesToMove();
  return [
    { title: `Delete versions/${removed}`, run: () => rmSync(join(root, "versions", removed), { recursive: true }) },
    { title: `Copy versions/${current} to versions/${next}`, run: () => copyVersion(quarter) },
    {
      title: `Move the versions in ${files.length} files to the next quarter`,
      run: () => files.forEach((file) => void rewrite(file, moveVersions)),
    },
    { title: `Write ${changeset}`, run: () => writeFileSync(join(root, changeset), changesetOf(quarter)) },
    { title: "npm run version-packages", run: () => versionPackages(changeset) },
    ...(test ? [{ title: "npm test", run: () => node("scripts/verify.ts") }] : []),
  ];
}

/** A version in an import path or in code: not the beginning of a date. */
const VERSION = /\b20\d\d-(?:01|04|07|10)\b(?!-?\d|T)/g;

/** Moves every version in a text to the next quarter. */
function moveVersions(text: string): string {
  return text.replace(VERSION, nextVersion);
}

/** Returns the files in which users read versions as code: import paths, and what examples print. Prose names states. */
function filesToMove(): readonly string[] {
  const paths = ["package.json", "README.md", "docs/*.md", "examples", ":!docs/rules.md"];
  const listed = execFileSync("git", ["ls-files", ...paths], { cwd: root, encoding: "utf8" })
    .trim()
    .split("\n");
  return listed.filter(
    (file) => /\.([cm]?[jt]s|json|md)$/.test(file) && readFileSync(join(root, file), "utf8").search(VERSION) >= 0,
  );
}

function rewrite(file: string, change: (text: string) => string): void {
  writeFileSync(join(root, file), change(readFileSync(join(root, file), "utf8")));
}

/** Copies Next to the version after it, under its name. */
function copyVersion({ current, next }: Quarter): void {
  const copy = join("versions", next);
  cpSync(join(root, "versions", current), join(root, copy), { recursive: true, errorOnExist: true, force: false });
  // The differences from the version before are generated; nothing else of it is true for the copy.
  rmSync(join(root, copy, "CHANGES.md"));
  for (const file of globSync(`${copy}/**/*`, { cwd: root })) {
    if (statSync(join(root, file)).isFile()) rewrite(file, (text) => text.replaceAll(current, next));
  }
}

/** Writes the changelog, the new major version of the package, and the generated files. */
function versionPackages(changeset: string): void {
  node("node_modules/@changesets/cli/bin.js", "version");
  node("scripts/generate.ts");
  if (existsSync(join(root, changeset))) throw new Error(`changesets did not use ${changeset}.`);
}

function node(program: string, ...parameters: readonly string[]): void {
  const { status } = spawnSync(process.execPath, [program, ...parameters], { cwd: root, stdio: "inherit" });
  if (status !== 0) throw new Error(`${program} exited with ${status}; see its messages above`);
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
