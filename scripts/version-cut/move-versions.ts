import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { nextVersion } from "../../src/lifecycle/index.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

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

const MONTHS = ["January", "April", "July", "October"];
const QUARTER_NAMES = ["Q1", "Q2", "Q3", "Q4"];
const QUARTERS = ["first", "second", "third", "fourth"];

/** The import path of another package that has a version in it. */
const OTHER_PACKAGE = String.raw`(?<!@(?!billing-service/)[\w-]+/[\w-]+/)`;
const VERSION = new RegExp(String.raw`${OTHER_PACKAGE}\b20\d\d-(?:01|04|07|10)\b(?!-?\d|T)`, "g");
/** A month, and the spaces after it in the cell of a table. */
const MONTH = /\b(January|April|July|October) (20\d\d)\b( +(?=\|))?/g;

/** Moves every version, first month of a quarter, and quarter in a string to the next quarter. Dates do not change. */
export function moveVersions(text: string): string {
  return text
    .replace(VERSION, nextVersion)
    .replace(MONTH, (cell, month, year, spaces) => {
      const moved = following(MONTHS, month, year, " ");
      return spaces ? `${moved} `.padEnd(cell.length) : moved;
    })
    .replace(/\b(Q[1-4]) (20\d\d)\b/g, (_, quarter, year) => following(QUARTER_NAMES, quarter, year, " "))
    .replace(/\b(first|second|third|fourth) quarter of (20\d\d)\b/g, (_, quarter, year) =>
      following(QUARTERS, quarter, year, " quarter of "),
    );
}

function following(names: readonly string[], name: string, year: string, between: string): string {
  const index = names.indexOf(name) + 1;
  return `${names[index % 4]}${between}${Number(year) + Math.floor(index / 4)}`;
}
