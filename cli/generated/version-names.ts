// Written by `npm run generate` from the folders in versions/.

/** The versions that the package holds: Deprecated, Current and Next. */
export const versionNames = ["2024-10", "2025-01", "2025-04"] as const;
