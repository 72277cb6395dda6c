// Runs Stryker with the fast tests, then with all tests on the changes that survived or timed out, and prints the result by
// folder. Arguments are those of Stryker: `npm run mutate -- --mutate src/webhooks/sign.ts`.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";

/** A change that Stryker made, in its JSON report. */
interface Mutant {
  readonly mutatorName: string;
  readonly replacement: string;
  readonly status: "Killed" | "Timeout" | "Survived" | "NoCoverage" | "Ignored" | "RuntimeError";
  readonly statusReason?: string;
  readonly location: Record<"start" | "end", { readonly line: number; readonly column: number }>;
}

const REPORT = "node_modules/.cache/mutation.json";
const STRYKER = "test/mutation/node_modules/@stryker-mutator/core/bin/stryker.js";

/** Runs Stryker, and returns its mutants by file, place and replacement. */
function mutate(parameters: readonly string[], tests: "fast" | "all"): Map<string, Mutant> {
  const command = [STRYKER, "run", "test/mutation/stryker.config.json", ...parameters];
  const { status } = spawnSync(process.execPath, command, { stdio: "inherit", env: { ...process.env, TESTS: tests } });
  if (status !== 0) process.exit(status ?? 1);
  const { files } = JSON.parse(readFileSync(REPORT, "utf8")) as { files: Record<string, { mutants: Mutant[] }> };
  const entries = Object.entries(files).flatMap(([file, { mutants }]) =>
    mutants.filter(({ status }) => status !== "Ignored").map((mutant) => [keyOf(file, mutant), mutant] as const),
  );
  return new Map(entries);
}

/** Returns the place of a mutant as an argument of Stryker, which counts columns from 0, and its replacement. */
function keyOf(file: string, { location: { start, end }, mutatorName, replacement }: Mutant): string {
  const place = `${file}:${start.line}:${start.column - 1}-${end.line}:${end.column - 1}`;
  return [place, mutatorName, replacement].join("\n");
}

/** A failure counts only if it is not one of a slow machine. */
const isKilled = ({ status, statusReason = "" }: Mutant): boolean =>
  status === "Killed" && !statusReason.includes("timed out");

const mutants = mutate(process.argv.slice(2), "fast");
const open = [...mutants].filter(([, mutant]) => !isKilled(mutant)).map(([key]) => key);
if (open.length > 0) {
  const places = new Set(open.map((key) => key.split("\n")[0]));
  const again = mutate(["--mutate", [...places].join(",")], "all");
  for (const key of open) mutants.set(key, again.get(key) ?? (mutants.get(key) as Mutant));
}

const isTimeout = (mutant: Mutant): boolean => !isKilled(mutant) && !/Survived|NoCoverage/.test(mutant.status);
const groups = Map.groupBy(mutants, ([key]) => dirname(key.split(":")[0] ?? ""));
for (const [folder, group] of groups) {
  const killed = group.filter(([, mutant]) => isKilled(mutant)).length;
  const timeouts = group.filter(([, mutant]) => isTimeout(mutant)).length;
  const score = ((100 * (killed + timeouts)) / group.length).toFixed(1);
  console.log(`\n${folder}: ${group.length} mutants, ${killed} killed, ${timeouts} timed out, ${score} %`);
  for (const [key, mutant] of group) {
    const [place, mutator, replacement] = key.split("\n");
    if (!isKilled(mutant))
      console.log(`  ${isTimeout(mutant) ? "timeout" : "survived"} ${place} ${mutator}: ${replacement}`);
  }
}
