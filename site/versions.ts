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

const states: readonly VersionState[] = ["Deprecated", "Current", "Next"];
const order: readonly VersionState[] = ["Current", "Next", "Deprecated"];

/** Returns the versions of the site, Current first. */
export function siteVersions(): readonly SiteVersion[] {
  return versionNames()
    .map((name, index) => ({ name, state: states[index] as VersionState, dates: releaseDates(name) }))
    .sort((one, other) => order.indexOf(one.state) - order.indexOf(other.state));
}

/** Returns the Current version. */
export function currentVersion(): SiteVersion {
  return siteVersions()[0] as SiteVersion;
}
