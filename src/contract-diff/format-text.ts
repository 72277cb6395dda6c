import type { Difference } from "./difference.ts";
import { groupDifferences } from "./group-differences.ts";

const SIGNS = { added: "+", removed: "-", changed: "~" } as const;

/** Formats differences for a terminal, one line each, grouped by area. */
export function formatText(differences: readonly Difference[]): string {
  const groups = groupDifferences(differences).map(
    ({ heading, differences: list }) => `${heading}\n${list.map(formatLine).join("\n")}\n`,
  );
  return groups.join("\n");
}

function formatLine({ change, subject, message, breaking }: Difference): string {
  return `  ${SIGNS[change]} ${subject}: ${message}${breaking ? " (breaking)" : ""}`;
}
