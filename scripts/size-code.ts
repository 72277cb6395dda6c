// Prints how large the project is: `npm run size:code`.
import { execFileSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import jsTokens from "js-tokens";
import * as entry from "#current";
import { apiReports } from "./api-report.ts";

const cwd = fileURLToPath(new URL("..", import.meta.url));
const NOT_CODE = new Set(["WhiteSpace", "LineTerminatorSequence", "SingleLineComment", "MultiLineComment"]);
const exclude = (name: string) => name === "node_modules" || name === "dist";

/** Counts the files in folders, and their lines that are neither blank nor a comment. */
function countCode(folders: string): { readonly files: number; readonly lines: number } {
  const patterns = folders.split(", ").map((folder) => `${folder}/**/*.{ts,tsx,mjs,vue}`);
  const files = globSync(patterns, { cwd, exclude });
  return { files: files.length, lines: files.reduce((sum, file) => sum + codeLines(file), 0) };
}

function codeLines(file: string): number {
  const text = readFileSync(cwd + file, "utf8");
  const code = file.endsWith(".vue") ? (/<script[^>]*>(.*?)<\/script>/s.exec(text)?.[1] ?? "") : text;
  const lines = new Set<number>();
  let line = 0;
  for (const { type, value } of file.endsWith(".tsx") ? jsTokens(code, { jsx: true }) : jsTokens(code)) {
    const parts = value.split(/\r?\n/);
    // A text of JSX may consist of the space between two tags.
    if (!NOT_CODE.has(type)) for (const [at, part] of parts.entries()) if (part.trim() !== "") lines.add(line + at);
    line += parts.length - 1;
  }
  return lines.size;
}

function countWords(pattern: string): number {
  const texts = globSync(pattern, { cwd }).map((file) => readFileSync(cwd + file, "utf8"));
  return texts.join(" ").split(/\s+/).filter(Boolean).length;
}

/** Returns the sizes of the project, by what they count. */
export function projectSizes() {
  const path = `./${entry.contract.version}`;
  const reports = [...apiReports().values()].join("\n");
  const topLevel = execFileSync("git", ["ls-files"], { cwd, encoding: "utf8" }).trim().split("\n");
  return {
    product: countCode("src, versions, mock, conformance, cli"),
    site: countCode("site, site/.vitepress"),
    "scripts and bench": countCode("scripts, bench"),
    test: countCode("test"),
    "words of CONTRIBUTING.md": countWords("CONTRIBUTING.md"),
    "words of README.md and docs": countWords("{README.md,docs/**/*.md}"),
    "names that a version's entry exports": reports.match(new RegExp(`^// .*${path}(,|$)`, "gm"))?.length ?? 0,
    "top-level names": new Set(topLevel.map((file) => file.split("/")[0])).size,
  };
}

if (import.meta.main) {
  for (const [what, size] of Object.entries(projectSizes())) {
    console.log(`${what.padEnd(38)}${typeof size === "number" ? size : `${size.lines} lines in ${size.files} files`}`);
  }
}
