import type { SupportedVersions } from "../../lifecycle/versions.ts";
import type { RoutesOf } from "./route.ts";

/** Operations on the supported API versions. */
export interface VersionOperations {
  get(): SupportedVersions;
  overview(): VersionsOverview;
  release(): SupportedVersions;
}

/** The operations and webhook event types of a supported version. */
export interface VersionDetails {
  readonly version: string;
  readonly state: "deprecated" | "current" | "next";
  readonly operations: readonly {
    readonly id: string;
    readonly method: string;
    readonly path: string;
    readonly summary: string;
  }[];
  readonly eventTypes: readonly string[];
}

/** The supported versions, oldest first, and the name of the version that the next release adds. */
export interface VersionsOverview {
  readonly versions: readonly VersionDetails[];
  readonly upcoming: string;
}

export const versionRoutes: RoutesOf<VersionOperations> = {
  get: {
    method: "GET",
    path: "/versions",
    summary: "Returns the names of the supported versions.",
  },
  overview: {
    method: "GET",
    path: "/versions/overview",
    summary: "Returns the operations and webhook event types of each supported version.",
  },
  release: {
    method: "POST",
    path: "/release",
    summary: "Makes a quarterly release and returns the versions that are supported after it.",
  },
};
