import { InvalidInputError } from "../errors/index.ts";
import { quarterName, quarterOf, type VersionName } from "./version-name.ts";

/** The week in which a quarterly release falls: ISO dates (`YYYY-MM-DD`), the first and the last day that it can be. */
export interface ReleaseWindow {
  /** The first day of the month. */
  readonly earliest: string;
  /** The seventh day of the month. */
  readonly latest: string;
}

/** How long a version is in one state: from one release to another. */
export interface StatePeriod {
  /** The release that brings the version into the state. */
  readonly from: ReleaseWindow;
  /** The release that takes it out again. */
  readonly to: ReleaseWindow;
}

/** The life of a version, about nine months: three in each state (specification, section 3.2). */
export interface ReleaseDates {
  /** The version whose life it is. */
  readonly version: VersionName;
  /** When the version is in development and may change at any time. */
  readonly next: StatePeriod;
  /** When the version is the default, and frozen. */
  readonly current: StatePeriod;
  /** When the version is frozen and about to be removed. */
  readonly deprecated: StatePeriod;
  /** The release from which on requests for the version are answered 404. */
  readonly removed: ReleaseWindow;
}

/**
 * The calendar of a version. Releases fall in the first week of January, April, July and October; a version is named
 * after the release that makes it Current. Use it to plan a migration: the version must be left before `removed`.
 *
 * @example
 * ```ts
 * releaseDates("2025-01").removed; // { earliest: "2025-07-01", latest: "2025-07-07" }
 * ```
 * @throws {@link InvalidInputError} when the text is no name of a version, or no release falls in its month.
 */
export function releaseDates(version: string): ReleaseDates {
  const quarter = quarterOf(version);
  const name = quarterName(quarter);
  if (name !== version) {
    throw new InvalidInputError("version", `must name a month of a release (01, 04, 07 or 10), not ${version}`);
  }
  return {
    version: name,
    next: period(quarter - 1),
    current: period(quarter),
    deprecated: period(quarter + 1),
    removed: releaseWindow(quarter + 2),
  };
}

/** Three months, from the release of one quarter to that of the following one. */
function period(quarter: number): StatePeriod {
  return { from: releaseWindow(quarter), to: releaseWindow(quarter + 1) };
}

function releaseWindow(quarter: number): ReleaseWindow {
  const month = quarterName(quarter);
  return { earliest: `${month}-01`, latest: `${month}-07` };
}
