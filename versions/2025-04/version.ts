/** The name of this version. */
export const VERSION = "2025-04";
