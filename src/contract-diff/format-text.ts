import type { Difference } from "./difference.ts";
import { groupDifferences } from "./group-differences.ts";

const SIGNS = { added: "+", removed: "-", changed: "~" } as const;

/** Formats differences for a terminal, one line each, grouped by area. */
export function formatText(differences: readonly Difference[]): string {
  const groups = groupDifferences(differences).map(
    ({ heading, differences: list }) => `${heading}\n${list.map((each) => `  ${formatDifference(each)}`).join("\n")}\n`,
  );
  return groups.join("\n");
}

/** Formats one difference as one line. */
export function formatDifference({ change, subject, message, breaking }: Difference): string {
  return `${SIGNS[change]} ${subject}: ${message}${breaking ? " (breaking)" : ""}`;
}
