import { InvalidInputError } from "../errors/index.ts";

/** The name of a version of the service: `YYYY-MM`, a year and a month (specification, section 9.1). */
export type VersionName = `${number}-${number}`;

/** What the name of a version looks like. */
export const VERSION_PATTERN: RegExp = /^\d{4}-(?:0[1-9]|1[0-2])$/;

/** Whether a text is the name of a version, whether or not the service supports it. */
export function isVersion(text: string): text is VersionName {
  return VERSION_PATTERN.test(text);
}

/**
 * The name of the version after the given one, named after the following quarter (specification, section 3.2): after
 * `2024-10` comes `2025-01`.
 *
 * @throws {@link InvalidInputError} when the text is no name of a version.
 */
export function nextVersion(version: string): VersionName {
  return quarterName(quarterOf(version) + 1);
}

/** The quarter in which a version's month lies, counted from the year 0. */
export function quarterOf(version: string): number {
  if (!isVersion(version)) {
    throw new InvalidInputError("version", `must be a year and a month, YYYY-MM, not ${JSON.stringify(version)}`);
  }
  return Number(version.slice(0, 4)) * 4 + Math.floor((Number(version.slice(5)) - 1) / 3);
}

/** The version that is named after a quarter: its year and its first month. */
export function quarterName(quarter: number): VersionName {
  const year = String(Math.floor(quarter / 4)).padStart(4, "0");
  const month = String((quarter % 4) * 3 + 1).padStart(2, "0");
  return `${year}-${month}` as VersionName;
}
