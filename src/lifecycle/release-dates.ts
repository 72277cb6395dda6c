import { InvalidInputError } from "../errors/index.ts";
import { quarterName, quarterOf, type VersionName } from "./version-name.ts";

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
