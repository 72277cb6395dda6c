export { type ReleaseDates, type ReleaseWindow, releaseDates, type StatePeriod } from "./release-dates.ts";
export { isVersion, nextVersion, type VersionName } from "./version-name.ts";
