import * as current from "#current";
import * as deprecated from "#deprecated";
import * as next from "#next";
import { CURRENT, DEPRECATED, NEXT } from "./versions.ts";

/** The module of each version, by the name of the version. */
export const versions = { [DEPRECATED]: deprecated, [CURRENT]: current, [NEXT]: next };

/** The name of a version in the package. */
export type VersionName = keyof typeof versions;

/** The names of all versions, oldest first. */
export const versionNames = Object.keys(versions) as VersionName[];

type SharedMember = Exclude<keyof current.BillingClient, "version">;

/** A client of any version, with the members that all versions share. Next has the widest types, because it may add. */
export type BillingClient = Pick<next.BillingClient, SharedMember> & { readonly version: VersionName };

export type { ClientOptions } from "#current";
