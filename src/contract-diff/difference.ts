/** The parts of a contract that a difference can be about, each with its heading. */
const HEADINGS = {
  operation: "Operations",
  model: "Models",
  error: "Errors",
  "webhook event": "Webhook events",
  scope: "Scopes",
  authentication: "Authentication",
};

/** One difference between two contracts. */
export interface Difference {
  readonly area: keyof typeof HEADINGS;
  /** Names what differs: an operation id, a model with the path of a field, an event type or a scope. */
  readonly subject: string;
  /** Says what changed, without the subject. */
  readonly message: string;
  /** Whether a program that is correct with the old contract can fail with the new one. */
  readonly breaking: boolean;
  /** The ids of the operations that it affects. Empty if it affects none or all. */
  readonly operations: readonly string[];
}

/** Formats differences as Markdown: their number, and a list for each area, breaking ones first. */
export function formatMarkdown(differences: readonly Difference[]): string {
  const groups = Object.entries(HEADINGS).flatMap(([area, heading]) => {
    const inArea = differences.filter((each) => each.area === area);
    const sorted = inArea.toSorted((one, other) => Number(other.breaking) - Number(one.breaking));
    return inArea.length === 0 ? [] : [`**${heading}**\n\n${sorted.map(formatItem).join("\n")}\n`];
  });
  return [`${countDifferences(differences)}.\n`, ...groups].join("\n");
}

function countDifferences(differences: readonly Difference[]): string {
  const breaking = differences.filter((each) => each.breaking).length;
  if (differences.length === 1) return `1 difference, ${breaking === 1 ? "breaking" : "not breaking"}`;
  return `${differences.length} differences, ${breaking === 0 ? "none" : breaking} of them breaking`;
}

function formatItem({ subject, message, breaking, operations }: Difference): string {
  const [place = ""] = subject.split(/[ .]/);
  const code = (text: string) => `\`${text}\``;
  const users = operations.length === 0 || operations.includes(place) ? "" : ` In ${operations.map(code).join(", ")}.`;
  return `- ${breaking ? "Breaking: " : ""}${code(subject)}: ${message.replace(/[\\*<[\]|`]/g, "\\$&")}.${users}`;
}
