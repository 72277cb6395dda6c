import { versionNames } from "../scripts/entry-points.ts";
import { type ReleaseDates, releaseDates } from "../src/lifecycle/index.ts";

/** The state of a version that the package supports. */
export type VersionState = "Current" | "Next" | "Deprecated";

/** A version with its own part of the site. */
export interface SiteVersion {
  readonly name: string;
  readonly state: VersionState;
  readonly dates: ReleaseDates;
}

/** Returns the versions of the site, Current first. */
export function siteVersions(): readonly SiteVersion[] {
  const [deprecated, current, next] = versionNames() as [string, string, string];
  const states = { Current: current, Next: next, Deprecated: deprecated };
  const entries = Object.entries(states) as [VersionState, string][];
  return entries.map(([state, name]) => ({ name, state, dates: releaseDates(name) }));
}

/** Returns the Current version. */
export function currentVersion(): SiteVersion {
  return siteVersions()[0] as SiteVersion;
}

/** Returns what readers of Deprecated and Next must know; undefined for Current. */
export function noticeOf({ name, state, dates }: SiteVersion): string | undefined {
  if (state === "Current") return undefined;
  const { earliest, latest } = state === "Next" ? dates.current.from : dates.removed;
  const days = `between ${earliest} and ${latest}`;
  return state === "Next"
    ? `${name} is Next: by the calendar, a release ${days} makes it Current. Until then, it may change at any time, even in incompatible ways.`
    : `${name} is Deprecated: by the calendar, a release ${days} removes it, and requests for it return 404.`;
}
