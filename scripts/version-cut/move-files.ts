import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { moveVersions } from "./move-versions.ts";
import { root } from "./root.ts";

/** Files whose versions stay: the history, the calendar and its tests, and what other steps write. */
const STAYING = [
  ".changeset/",
  "CHANGELOG.md",
  "docs/decisions/",
  "package-lock.json",
  "scripts/version-cut",
  "src/lifecycle/",
  "test/lifecycle/",
  "versions/",
];

/** Returns the files of the project that name versions, or months of releases, which a release moves on. */
export function filesToMove(): readonly string[] {
  const listed = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).split("\n");
  const candidates = listed.filter((file) => /\.([cm]?[jt]s|tsx|json|md)$/.test(file) && !isStaying(file));
  return candidates.filter((file) => {
    const text = read(file);
    return moveVersions(text) !== text;
  });
}

/** Moves the versions in files to the next quarter. */
export function moveFiles(files: readonly string[]): void {
  for (const file of files) writeFileSync(join(root, file), moveVersions(read(file)));
}

function isStaying(file: string): boolean {
  return STAYING.some((place) => file.startsWith(place));
}

function read(file: string): string {
  return readFileSync(join(root, file), "utf8");
}
