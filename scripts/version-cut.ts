// Cuts a quarterly release: performs every step that docs/releasing.md lists, up to publishing.
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { parseOptions, UsageError } from "../cli/shared/arguments.ts";
import { runCommand, Terminal } from "../cli/shared/terminal.ts";
import { releaseDates } from "../src/lifecycle/index.ts";
import { versionNames } from "./entry-points.ts";
import { describeQuarter, type Quarter, quarterAfter, type Step, stepsOf } from "./version-cut/steps.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

const help = `version:cut: cut a quarterly release, up to publishing

Usage:
  $ npm run version:cut -- [options]

      --dry-run         Print the steps, and change nothing
      --date <date>     Day of the release, such as 2025-04-01 (default: today)
      --no-test         Leave out the last step, \`npm test\`
  -h, --help            Print this help
`;

const OPTIONS = {
  "dry-run": { type: "boolean" },
  date: { type: "string" },
  "no-test": { type: "boolean" },
  help: { type: "boolean", short: "h" },
} as const;

/** The number of changed files that an error lists. */
const LISTED = 5;

/** How to return to the last commit. Nothing else is lost, because the release starts from a clean tree. */
const UNDO = "git restore --staged --worktree . && git clean -fd";

process.exitCode = await runCommand(new Terminal("version:cut", process), async () => {
  const { values } = parseOptions(OPTIONS, process.argv.slice(2));
  if (values.help) {
    console.log(help.trimEnd());
    return 0;
  }
  const quarter = quarterAfter(versionNames());
  requireReleaseTime(quarter, values.date === undefined ? new Date() : readDate(values.date));
  requireCleanTree();
  console.log(describeQuarter(quarter));
  runSteps(stepsOf(quarter, { test: !values["no-test"] }), { dryRun: values["dry-run"] ?? false });
  return 0;
});

function readDate(text: string): Date {
  const date = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? text : "");
  if (!Number.isNaN(date.getTime())) return date;
  throw new UsageError(`--date must be a date such as 2025-04-01; received "${text}".`);
}

/**
 * Requires that no file differs from the last commit, so that git can undo everything.
 *
 * @throws UsageError if there are changes, or untracked files.
 */
function requireCleanTree(): void {
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
function requireReleaseTime({ current }: Quarter, date: Date): void {
  const { earliest, latest } = releaseDates(current).current.from;
  const day = date.toISOString().slice(0, 10);
  if (day >= earliest) return;
  throw new UsageError(
    `${day} is too early: ${current} is released from ${earliest} to ${latest}. To rehearse the release, give that day with --date.`,
  );
}

/**
 * Runs steps in their order. With `dryRun`, only prints them.
 *
 * @throws Error when a step fails, with its number, the reason, and how to undo the steps before.
 */
function runSteps(steps: readonly Step[], { dryRun }: { readonly dryRun: boolean }): void {
  for (const [index, { title, run, repair }] of steps.entries()) {
    console.log(`${index + 1}. ${title}`);
    if (dryRun) continue;
    try {
      run();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const help = repair ?? "Fix the cause, undo the steps, and start again.";
      throw new Error(
        `step ${index + 1} of ${steps.length} failed (${title}): ${reason} ${help} To undo all steps: ${UNDO}`,
      );
    }
  }
  console.log(
    dryRun ? "Nothing was changed (--dry-run)." : "Read the diff and commit it. docs/releasing.md says how to publish.",
  );
}
