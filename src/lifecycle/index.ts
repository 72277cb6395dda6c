export { type ReleaseDates, type ReleaseWindow, releaseDates, type StatePeriod } from "./release-dates.ts";
export { isVersion, nextVersion, VERSION_PATTERN, type VersionName } from "./version-name.ts";
