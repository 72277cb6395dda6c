// Cuts a quarterly release: performs every step that CONTRIBUTING.md lists, up to publishing.
import { execFileSync } from "node:child_process";
import { parseArgs } from "node:util";
import { releaseDates } from "../src/lifecycle/index.ts";
import { versionNames } from "./entry-points.ts";
import { type Quarter, quarterAfter, root, stepsOf } from "./version-cut-steps.ts";

/** How to return to the last commit. Nothing else is lost, because the release starts from a clean tree. */
const UNDO = "git restore --staged --worktree . && git clean -fd";

const { values } = parseArgs({
  options: { "dry-run": { type: "boolean" }, date: { type: "string" }, "no-test": { type: "boolean" } },
});
try {
  const quarter = quarterAfter(versionNames());
  requireReleaseTime(quarter, values.date ?? new Date().toISOString().slice(0, 10));
  requireCleanTree();
  console.log(quarter);
  for (const [index, { title, run }] of stepsOf(quarter, { test: !values["no-test"] }).entries()) {
    console.log(`${index + 1}. ${title}`);
    if (!values["dry-run"]) runStep(`step ${index + 1} (${title})`, run);
  }
  const end = "Read the diff and commit it. CONTRIBUTING.md says how to publish.";
  console.log(values["dry-run"] ? "Nothing was changed (--dry-run)." : end);
} catch (error) {
  console.error(`version:cut: ${error instanceof Error ? error.message : error}`);
  process.exitCode = 1;
}

function runStep(name: string, run: () => void): void {
  try {
    run();
  } catch (cause) {
    throw new Error(`${name} failed: ${cause}. Fix the cause, undo all steps, and start again. To undo: ${UNDO}`, {
      cause,
    });
  }
}

/** Requires that the release is due. A late one is allowed. */
function requireReleaseTime({ current }: Quarter, day: string): void {
  const { earliest, latest } = releaseDates(current).current.from;
  if (day >= earliest) return;
  throw new Error(
    `${day} is too early: ${current} is released from ${earliest} to ${latest}. To rehearse the release, give that day with --date.`,
  );
}

/** Requires that no file differs from the last commit, so that git can undo everything. */
function requireCleanTree(): void {
  const changed = execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" }).trimEnd();
  if (changed !== "") throw new Error(`commit, stash or delete these changes first:\n${changed}`);
}
