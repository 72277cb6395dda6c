import type { Contract } from "../../src/contract/index.ts";
import { nextVersion } from "../../src/lifecycle/index.ts";
import type { MockCore } from "../api/core.ts";
import type { ControlRoute } from "../control/route.ts";
import { UsageWatch } from "./usage-watch.ts";

/** What a supported version offers. */
export interface OfferedVersion {
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

/** The supported versions, oldest first, and the name of the version that the next release will bring. */
export interface Offer {
  readonly versions: readonly OfferedVersion[];
  readonly upcoming: string;
}

const watches = new WeakMap<object, UsageWatch>();

/** The routes that the inspector needs besides those of the mock's own interface. */
export const inspectorRoutes: readonly ControlRoute[] = [
  {
    name: "versions.offer",
    method: "GET",
    path: "/versions/offer",
    does: "Shows the operations and the webhook event types of each supported version.",
    run: ({ mock }) => offerOf(mock),
  },
  {
    name: "events.usage",
    method: "GET",
    path: "/usage",
    does: "Counts the usage events by name and time, and shows the newest.",
    run: ({ mock }) => {
      const watch = watches.get(mock) ?? new UsageWatch(mock.tables.events);
      watches.set(mock, watch);
      return watch.read();
    },
  },
];

function offerOf({ contracts, versions }: MockCore): Offer {
  const offered = (["deprecated", "current", "next"] as const).map((state): OfferedVersion => {
    const { version, operations, webhookEventTypes } = contracts().get(versions[state]) as Contract;
    return {
      version,
      state,
      operations: operations.map(({ id, method, path, summary }) => ({ id, method, path, summary })),
      eventTypes: webhookEventTypes,
    };
  });
  return { versions: offered, upcoming: nextVersion(versions.next) };
}
