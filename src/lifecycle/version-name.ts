import { describeValue } from "../errors/describe-value.ts";
import { InvalidInputError } from "../errors/index.ts";

/** The name of a version of the service: `YYYY-MM`, its year and month (specification, section 9.1). */
export type VersionName = `${number}-${number}`;

/** Matches the name of a version. */
export const VERSION_PATTERN: RegExp = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** Returns whether a string is the name of a version, supported or not. */
export function isVersion(text: string): text is VersionName {
  return VERSION_PATTERN.test(text);
}

/**
 * Returns the name of the next version, one quarter later (specification, section 3.2): `2025-01` for `2024-10`.
 *
 * @throws {@link InvalidInputError} unless `version` is the name of a version (`YYYY-MM`).
 */
export function nextVersion(version: string): VersionName {
  return quarterName(quarterOf(version, "nextVersion") + 1);
}

/** Returns the quarter of a version's month, counted from the year 0. */
export function quarterOf(version: string, caller: string): number {
  if (!isVersion(version)) {
    throw new InvalidInputError("version", `must be YYYY-MM; received ${describeValue(version)}`, { caller });
  }
  return Number(version.slice(0, 4)) * 4 + Math.floor((Number(version.slice(5)) - 1) / 3);
}

/** Returns the version that is named after a quarter: its year and its first month. */
export function quarterName(quarter: number): VersionName {
  const year = String(Math.floor(quarter / 4)).padStart(4, "0");
  const month = String((quarter % 4) * 3 + 1).padStart(2, "0");
  return `${year}-${month}` as VersionName;
}
