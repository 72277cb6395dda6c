import { suggestName } from "../src/errors/closest-name.ts";
import { UsageError } from "../terminal/usage-error.ts";
import { clients } from "./generated/clients.ts";

/** The name of an API version that the package holds. */
export type VersionName = keyof typeof clients;

/** The versions that the package holds: Deprecated, Current and Next. */
export const versionNames = Object.keys(clients) as readonly VersionName[];

/** The Current version. */
export const CURRENT = versionNames.at(-2) as VersionName;

/**
 * Reads the value of `--version`; undefined without a value.
 *
 * @throws UsageError unless the package holds the version; it suggests the one that was probably meant.
 */
export function readVersion(given: string | undefined): VersionName | undefined {
  if (given === undefined || versionNames.includes(given as VersionName)) return given as VersionName | undefined;
  throw new UsageError(`--version: unknown API version ${suggestName(given, versionNames)}`);
}
