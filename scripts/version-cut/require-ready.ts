import { execFileSync } from "node:child_process";
import { releaseDates } from "../../src/lifecycle/index.ts";
import { UsageError } from "../../terminal/usage-error.ts";
import type { Quarter } from "./quarter.ts";
import { root } from "./root.ts";

/** The number of changed files that an error lists. */
const LISTED = 5;

/**
 * Requires that no file differs from the last commit, so that git can undo everything.
 *
 * @throws UsageError if there are changes, or untracked files.
 */
export function requireCleanTree(): void {
  const changed = execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" });
  const lines = changed.split("\n").filter((line) => line !== "");
  if (lines.length === 0) return;
  const more = lines.length > LISTED ? ` and ${lines.length - LISTED} more` : "";
  const files = lines.slice(0, LISTED).map((line) => line.slice(3));
  throw new UsageError(`commit, stash or delete these changes first: ${files.join(", ")}${more}.`);
}

/**
 * Requires that the release is due. A late one is allowed.
 *
 * @throws UsageError if the release is in the future.
 */
export function requireReleaseTime({ current }: Quarter, date: Date): void {
  const { earliest, latest } = releaseDates(current).current.from;
  const day = date.toISOString().slice(0, 10);
  if (day >= earliest) return;
  throw new UsageError(
    `${day} is too early: ${current} is released from ${earliest} to ${latest}. To rehearse the release, give that day with --date.`,
  );
}
