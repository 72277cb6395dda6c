// Written by `npm run generate` from the folders in versions/.
/** The Deprecated version of this package, the release that removes it, and the version to move to. */
export const DEPRECATED_VERSION = {
  version: "2024-10",
  removed: { earliest: "2025-04-01", latest: "2025-04-07" },
  current: "2025-01",
} as const;
