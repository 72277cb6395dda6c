import type { Difference, DifferenceArea } from "./difference.ts";

/** The differences of one area, with its heading. */
export interface DifferenceGroup {
  readonly heading: string;
  readonly differences: readonly Difference[];
}

const HEADINGS: Readonly<Record<DifferenceArea, string>> = {
  operation: "Operations",
  model: "Models",
  error: "Errors",
  "webhook event": "Webhook events",
  scope: "Scopes",
  authentication: "Authentication",
};

/** Groups differences by area, breaking ones first. Areas without differences are left out. */
export function groupDifferences(differences: readonly Difference[]): DifferenceGroup[] {
  return Object.entries(HEADINGS).flatMap(([area, heading]) => {
    const inArea = differences.filter((each) => each.area === area);
    const sorted = inArea.toSorted((one, other) => Number(other.breaking) - Number(one.breaking));
    return inArea.length === 0 ? [] : [{ heading, differences: sorted }];
  });
}

/** Counts differences in words, for example `3 differences, 1 of them breaking`. */
export function countDifferences(differences: readonly Difference[]): string {
  const breaking = differences.filter((each) => each.breaking).length;
  if (differences.length === 1) return `1 difference, ${breaking === 1 ? "breaking" : "not breaking"}`;
  return `${differences.length} differences, ${breaking === 0 ? "none" : breaking} of them breaking`;
}
