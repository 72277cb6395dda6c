import { releaseDates } from "../../src/lifecycle/index.ts";

/**
 * Returns the content of `src/client/generated.ts`: what a client of the Deprecated version warns about, and the version of
 * the package, so that the client does not import JSON at run time.
 */
export function clientConstantsFile(
  [deprecated = "", current = ""]: readonly string[],
  packageVersion: string,
): string {
  const { earliest, latest } = releaseDates(deprecated).removed;
  return `// Written by \`npm run generate\` from the folders in versions/ and from package.json.
/** The Deprecated version of this package, the release that removes it, and the version to move to. */
export const DEPRECATED_VERSION = {
  version: "${deprecated}",
  removed: { earliest: "${earliest}", latest: "${latest}" },
  current: "${current}",
} as const;

/** The version of the package. */
export const PACKAGE_VERSION = ${JSON.stringify(packageVersion)};
`;
}
