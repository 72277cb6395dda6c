import type { Contract } from "../../src/contract/index.ts";
import { nextVersion } from "../../src/lifecycle/index.ts";
import type { Engine } from "../engine/engine.ts";

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

/** Lists the operations and webhook event types of each supported version. */
export function versionsOverview({ contracts, versions }: Engine): VersionsOverview {
  const details = (["deprecated", "current", "next"] as const).map((state): VersionDetails => {
    const { version, operations, webhookEventTypes } = contracts.get(versions[state]) as Contract;
    return {
      version,
      state,
      operations: operations.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
      eventTypes: webhookEventTypes,
    };
  });
  return { versions: details, upcoming: nextVersion(versions.next) };
}
