import { releaseDates } from "../../src/lifecycle/index.ts";

/** Returns the content of `src/client/deprecated-version.ts`: what a client of the Deprecated version warns about. */
export function deprecatedVersionFile([deprecated = "", current = ""]: readonly string[]): string {
  const { earliest, latest } = releaseDates(deprecated).removed;
  return `// Written by \`npm run generate\` from the folders in versions/.
/** The Deprecated version of this package, the release that removes it, and the version to move to. */
export const DEPRECATED_VERSION = {
  version: "${deprecated}",
  removed: { earliest: "${earliest}", latest: "${latest}" },
  current: "${current}",
} as const;
`;
}
