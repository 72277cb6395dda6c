import type { Contract } from "../../src/contract/index.ts";
import { nextVersion } from "../../src/lifecycle/index.ts";
import type { Engine } from "../engine/engine.ts";
import type { VersionDetails, VersionsOverview } from "./routes/versions.ts";

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
