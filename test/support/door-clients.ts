import * as deprecated from "../../versions/2024-10/index.ts";
import * as current from "../../versions/2025-01/index.ts";
import * as next from "../../versions/2025-04/index.ts";

/** What a program imports, by the version in the import path. */
export const versions = { "2024-10": deprecated, "2025-01": current, "2025-04": next };

/** The name of a version that the package holds. */
export type VersionName = keyof typeof versions;

/** Every version, oldest first: for tests that hold in each. */
export const versionNames = Object.keys(versions) as VersionName[];

/** The client of some version; the tests of the rules use what all of them have. */
export type BillingClient = Omit<current.BillingClient, "version"> & { readonly version: VersionName };

export type { ClientOptions } from "../../versions/2025-01/index.ts";
