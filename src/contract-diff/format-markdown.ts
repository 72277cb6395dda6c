import type { Difference } from "./difference.ts";
import { groupDifferences } from "./group-differences.ts";

/** Formats differences as Markdown: a list for each area. */
export function formatMarkdown(differences: readonly Difference[]): string {
  const groups = groupDifferences(differences).map(
    ({ heading, differences: list }) => `**${heading}**\n\n${list.map(formatItem).join("\n")}\n`,
  );
  return groups.join("\n");
}

function formatItem({ subject, message, breaking, operations }: Difference): string {
  const [place = ""] = subject.split(" ");
  const users = operations.length === 0 || operations.includes(place) ? "" : ` In ${operations.map(code).join(", ")}.`;
  return `- ${breaking ? "Breaking: " : ""}${code(subject)}: ${escapeMarkdown(message)}.${users}`;
}

function code(text: string): string {
  return `\`${text}\``;
}

function escapeMarkdown(text: string): string {
  return text.replace(/[\\*<[\]|`]/g, "\\$&");
}
