/** The name of this version. */
export const VERSION = "2024-10";
