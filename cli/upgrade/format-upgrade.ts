import { type Difference, formatDifference } from "../../src/contract-diff/index.ts";
import { escapeControls } from "../../terminal/output.ts";
import type { MentionedDifference, UpgradeStep } from "./mentioned-differences.ts";
import type { PlaceOfVersion, UpgradePlan } from "./plan-upgrade.ts";
import type { Place } from "./scan-project.ts";

/** The result of `billing upgrade`. */
export interface UpgradeResult extends UpgradePlan {
  readonly to: string;
  readonly dryRun: boolean;
  readonly steps: readonly UpgradeStep[];
  /** Strings that are the name of an old version, for example the value of `api_version`. */
  readonly versionStrings: readonly PlaceOfVersion[];
  /** The number of files that were searched. */
  readonly count: number;
  /** Files that were not searched, because they are too large or not UTF-8. */
  readonly unread: readonly string[];
}

/** The number of places that a line lists. */
const LISTED = 5;

/** Formats the result of `billing upgrade` for a terminal. */
export function formatUpgrade(result: UpgradeResult): string {
  return [
    formatChanges(result),
    ...result.steps.map((step) => formatStep(step, result.to)),
    formatLeftovers(result),
    result.files.length === 0 ? "" : formatTasks(result),
  ]
    .filter((part) => part !== "")
    .join("\n");
}

function formatChanges({ files, from, to, dryRun, count }: UpgradeResult): string {
  if (files.length === 0) return lines([`Nothing to change: no import to move to ${to} in ${counted(count, "file")}.`]);
  const imports = files.reduce((sum, each) => sum + each.imports.length, 0);
  const what = `${counted(imports, "import")} in ${counted(files.length, "file")}`;
  const title = `${dryRun ? "Would change" : "Changed"} ${what} from ${from.join(" and ")} to ${to}:`;
  return lines([title, ...files.map((file) => `  ${escapeControls(file.path)}:${linesOf(file)}`)]);
}

function linesOf({ imports }: UpgradePlan["files"][number]): string {
  return [...new Set(imports.map(({ line }) => line))].join(", ");
}

function formatStep({ from, differences }: UpgradeStep, to: string): string {
  if (differences === undefined)
    return lines([`Differences from ${from} to ${to}: unknown, because this package no longer contains ${from}.`]);
  if (differences.length === 0) return lines([`Differences from ${from} to ${to}: none.`]);
  const mentioned = differences.filter(({ mentions }) => mentions.length > 0);
  const rest = differences.length - mentioned.length;
  return lines([
    `Differences from ${from} to ${to} that your code mentions by name: ${mentioned.length} of ${differences.length}`,
    ...sortBreakingFirst(mentioned).flatMap(formatMentioned),
    ...(rest === 0
      ? []
      : [
          `  Not mentioned: ${rest}, ${breakingOf(differences, mentioned)} breaking; see docs/upgrading.md of the package.`,
        ]),
  ]);
}

function sortBreakingFirst<Item extends Difference>(differences: readonly Item[]): Item[] {
  return differences.toSorted((one, other) => Number(other.breaking) - Number(one.breaking));
}

function breakingOf(all: readonly Difference[], mentioned: readonly Difference[]): number {
  const count = (list: readonly Difference[]) => list.filter(({ breaking }) => breaking).length;
  return count(all) - count(mentioned);
}

function formatMentioned(difference: MentionedDifference): string[] {
  return [`  ${formatDifference(difference)}`, `      mentions ${difference.name}: ${listPlaces(difference.mentions)}`];
}

function formatLeftovers({ unchanged, kept, unread, from, to }: UpgradeResult): string {
  const others = [...new Set(kept.map(({ version }) => version))].join(", ");
  return lines([
    ...(unchanged.length === 0
      ? []
      : [`Not changed, because these are not imports (comments, strings, pages): ${listPlaces(unchanged)}`]),
    ...(kept.length === 0 ? [] : [`Not changed: imports of ${others}: ${listPlaces(kept)}`]),
    ...(from.length > 1 ? [`Code that handled ${from.join(" and ")} differently now gets ${to} everywhere.`] : []),
    ...(unread.length === 0
      ? []
      : [`Not searched (larger than 5 MiB, or not UTF-8): ${unread.map(escapeControls).join(", ")}`]),
  ]);
}

function formatTasks({ to, dryRun, versionStrings }: UpgradeResult): string {
  const strings = versionStrings.length === 0 ? "" : ` Old versions in strings: ${listPlaces(versionStrings)}.`;
  return lines([
    "Still to do:",
    ...(dryRun ? ["  - Run the command again without --dry-run."] : []),
    "  - Compile, and run your tests against the mock, then against the sandbox.",
    `  - Once your receiver accepts ${to}, set api_version of your webhook endpoints to ${to}.${strings}`,
    `  - Deploy, and check that the header Service-Version of responses is ${to}.`,
  ]);
}

function listPlaces(places: readonly Place[]): string {
  const listed = places.slice(0, LISTED).map(({ path, line }) => `${escapeControls(path)}:${line}`);
  const more = places.length - listed.length;
  return listed.join(", ") + (more > 0 ? ` and ${more} more` : "");
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}

function lines(list: readonly string[]): string {
  return list.map((line) => `${line}\n`).join("");
}
