// Moves the names of versions and months on by a quarter, wherever README, guides, examples, benchmarks and tests show
// them. It is a step of the quarterly release (CONTRIBUTING.md), and does the same once more each time that it runs.
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { moved } from "./next-quarter/moved.ts";

/** Tests of the calendar hold in any quarter, so their dates stay. */
const KEPT = "test/lifecycle/";
const PLACES = ["README.md", "docs", "examples", "bench", "test"];

const listed = execFileSync("git", ["ls-files", ...PLACES], { encoding: "utf8" }).split("\n");
const files = listed.filter((file) => /\.(md|ts|tsx|js|mjs)$/.test(file) && !file.startsWith(KEPT));
for (const file of files) {
  const text = readFileSync(file, "utf8");
  const after = moved(text);
  if (after === text) continue;
  writeFileSync(file, after);
  console.log(`moved ${file}`);
}
