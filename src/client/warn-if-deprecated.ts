import { DEPRECATED_VERSION } from "./deprecated-version.ts";
import type { Log } from "./log.ts";

let hasWarned = false;

/** Warns about the removal of the Deprecated version when the first client of it is created in a process. */
export function warnIfDeprecated(version: string, { warn }: Log): void {
  if (hasWarned || version !== DEPRECATED_VERSION.version || warn === undefined) return;
  hasWarned = true;
  const { removed, current } = DEPRECATED_VERSION;
  warn(
    `createClient: version ${version} of the API is Deprecated. The release between ${removed.earliest} and ${removed.latest} removes it; after that, requests for it get a 404. Import ${current} or a later version.`,
    DEPRECATED_VERSION,
  );
}
