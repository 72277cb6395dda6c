// Cuts a quarterly release: performs every step that docs/releasing.md lists, up to publishing.
import { parseOptions } from "../terminal/parse-options.ts";
import { runCommand } from "../terminal/run-command.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { versionNames } from "./entry-points.ts";
import { describeQuarter, quarterAfter } from "./version-cut/quarter.ts";
import { requireCleanTree, requireReleaseTime } from "./version-cut/require-ready.ts";
import { runSteps } from "./version-cut/run-steps.ts";
import { stepsOf } from "./version-cut/steps.ts";

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

await runCommand("version:cut", () => {
  const { values } = parseOptions(process.argv.slice(2), { command: "npm run version:cut --", options: OPTIONS });
  if (values.help) return console.log(help.trimEnd());
  const quarter = quarterAfter(versionNames());
  requireReleaseTime(quarter, values.date === undefined ? new Date() : readDate(values.date));
  requireCleanTree();
  console.log(describeQuarter(quarter));
  runSteps(stepsOf(quarter, { test: !values["no-test"] }), { dryRun: values["dry-run"] ?? false });
});

function readDate(text: string): Date {
  const date = new Date(/^\d{4}-\d\d-\d\d$/.test(text) ? text : "");
  if (!Number.isNaN(date.getTime())) return date;
  throw new UsageError(`--date must be a date such as 2025-04-01; received "${text}".`);
}
