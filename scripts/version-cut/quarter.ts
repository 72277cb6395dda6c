import { nextVersion, releaseDates } from "../../src/lifecycle/index.ts";
import { UsageError } from "../../terminal/usage-error.ts";

/** The versions of a quarterly release, each named after what it is from then on. */
export interface Quarter {
  readonly removed: string;
  readonly deprecated: string;
  readonly current: string;
  readonly next: string;
}

/**
 * Returns the quarterly release that follows: the oldest of three versions is removed, and a new one is added.
 *
 * @throws UsageError unless there are three consecutive versions.
 */
export function quarterAfter(versions: readonly string[]): Quarter {
  const [removed = "", deprecated = "", current = ""] = versions;
  const areConsecutive = versions.slice(1).every((version, index) => version === nextVersion(versions[index] ?? ""));
  if (versions.length !== 3 || !areConsecutive) {
    throw new UsageError(`versions/ must contain three consecutive versions; found ${versions.join(", ") || "none"}.`);
  }
  return { removed, deprecated, current, next: nextVersion(current) };
}

/** Returns what a release changes, as lines for a reader. */
export function describeQuarter({ removed, deprecated, current, next }: Quarter): string {
  const { earliest, latest } = releaseDates(current).current.from;
  return `The release of ${earliest} to ${latest}:
  ${removed}  Deprecated, then removed
  ${deprecated}  Current, then Deprecated
  ${current}  Next, then Current and frozen
  ${next}  new, then Next`;
}
