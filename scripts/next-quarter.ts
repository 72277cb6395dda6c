// Moves the names of versions and months in README, guides, examples, benchmarks and tests to the next quarter. It is a
// step of the quarterly release (CONTRIBUTING.md). Every run moves them by another quarter.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { toNextQuarter } from "./next-quarter/to-next-quarter.ts";

/** Tests of the calendar are valid in any quarter, so their dates do not change. */
const EXCLUDED = "test/lifecycle/";
const PLACES = ["README.md", "docs", "examples", "bench", "test"];

const listed = execFileSync("git", ["ls-files", ...PLACES], { encoding: "utf8" }).split("\n");
const files = listed.filter((file) => /\.(md|ts|tsx|js|mjs)$/.test(file) && !file.startsWith(EXCLUDED));
for (const file of files) {
  const text = readFileSync(file, "utf8");
  const after = toNextQuarter(text);
  if (after === text) continue;
  writeFileSync(file, after);
  console.log(`updated ${file}`);
}
