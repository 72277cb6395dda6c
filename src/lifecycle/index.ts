import { InvalidInputError } from "../errors/index.ts";
import { describeValue } from "../values/describe.ts";

/** The week of a quarterly release: days 1 to 7 of its month, an assumption (G-DATES), as ISO dates (`YYYY-MM-DD`). */
export interface ReleaseWindow {
  /** The first day of the month. */
  readonly earliest: string;
  /** The seventh day of the month. */
  readonly latest: string;
}

/** The period in which a version has one state, from one release to another. */
export interface StatePeriod {
  /** The release that starts the state. */
  readonly from: ReleaseWindow;
  /** The release that ends it. */
  readonly to: ReleaseWindow;
}

/** The release dates of a version. It lives about nine months, three in each state (specification, section 3.2). */
export interface ReleaseDates {
  /** The version. */
  readonly version: VersionName;
  /** The period in which the version is in development and may change at any time. */
  readonly next: StatePeriod;
  /** The period in which the version is the default, and frozen. */
  readonly current: StatePeriod;
  /** The period in which the version is frozen and about to be removed. */
  readonly deprecated: StatePeriod;
  /** The release that removes the version. Requests for it then return 404. */
  readonly removed: ReleaseWindow;
}

/**
 * Returns the release dates of a version, to plan a migration: leave the version before `removed`. Releases are in the first
 * week of January, April, July and October (specification, section 3.2). It is an assumption that this week has days 1 to 7
 * and that a version is named after the release that makes it Current (G-DATES).
 *
 * @example
 * ```ts
 * releaseDates("2025-01").removed; // { earliest: "2025-07-01", latest: "2025-07-07" }
 * ```
 * @throws {@link InvalidInputError} unless `version` is the name of a version (`YYYY-MM`) in a release month.
 */
export function releaseDates(version: string): ReleaseDates {
  const quarter = quarterOf(version, "releaseDates");
  const name = quarterName(quarter);
  if (name !== version) {
    const problem = `must be in a release month (01, 04, 07 or 10); received "${version}"`;
    throw new InvalidInputError("version", problem, { caller: "releaseDates" });
  }
  return {
    version: name,
    next: period(quarter - 1),
    current: period(quarter),
    deprecated: period(quarter + 1),
    removed: releaseWindow(quarter + 2),
  };
}

/** Returns three months, from the release of one quarter to the next. */
function period(quarter: number): StatePeriod {
  return { from: releaseWindow(quarter), to: releaseWindow(quarter + 1) };
}

function releaseWindow(quarter: number): ReleaseWindow {
  const month = quarterName(quarter);
  return { earliest: `${month}-01`, latest: `${month}-07` };
}

/** The name of a version of the service: `YYYY-MM`, its year and month (specification, section 9.1). */
export type VersionName = `${number}-${number}`;

/** Matches the name of a version. */
const VERSION_PATTERN = /^\d{4}-(?:0[1-9]|1[0-2])$/;

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
function quarterOf(version: string, caller: string): number {
  if (!isVersion(version)) {
    throw new InvalidInputError("version", `must be YYYY-MM; received ${describeValue(version)}`, { caller });
  }
  return Number(version.slice(0, 4)) * 4 + Math.floor((Number(version.slice(5)) - 1) / 3);
}

/** Returns the version that is named after a quarter: its year and its first month. */
function quarterName(quarter: number): VersionName {
  const year = String(Math.floor(quarter / 4)).padStart(4, "0");
  const month = String((quarter % 4) * 3 + 1).padStart(2, "0");
  return `${year}-${month}` as VersionName;
}
