import { suggestName } from "../src/errors/closest-name.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { clients } from "./generated/clients.ts";

/** The name of an API version that the package holds. */
export type PackagedVersion = keyof typeof clients;

/** The versions that the package holds: Deprecated, Current and Next. */
export const versionNames = Object.keys(clients) as readonly PackagedVersion[];

/** The Current version. */
export const CURRENT = versionNames.at(-2) as PackagedVersion;

/**
 * Reads the value of an option that takes a version, `--version` by default; undefined without a value.
 *
 * @throws UsageError unless the package holds the version; it suggests the one that was probably meant.
 */
export function readVersion(given: string | undefined, flag = "--version"): PackagedVersion | undefined {
  if (given === undefined || versionNames.includes(given as PackagedVersion))
    return given as PackagedVersion | undefined;
  throw new UsageError(`${flag}: unknown API version ${suggestName(given, versionNames)}`);
}
