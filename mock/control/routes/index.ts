import { CONTROL_PATH } from "../../state/own-addresses.ts";
import type { Delivery, EmittedEvent } from "../../state/records.ts";
import { type ChangeOperations, changeRoutes } from "./changes.ts";
import { type ClockOperations, clockRoutes } from "./clock.ts";
import { type CollectionOperations, collectionRoutes, type ReadOperations } from "./collections.ts";
import { type FaultOperations, faultRoutes } from "./faults.ts";
import { type MockOperations, mockRoutes } from "./mock.ts";
import { type RequestOperations, requestRoutes } from "./requests.ts";
import type { ControlRoute, RoutesOf } from "./route.ts";
import { type SnapshotOperations, snapshotRoutes } from "./snapshots.ts";
import { type TokenOperations, tokenRoutes } from "./tokens.ts";
import { type UsageOperations, usageRoutes } from "./usage.ts";
import { type VersionOperations, versionRoutes } from "./versions.ts";
import { deliveryRoutes, type WebhookOperations, webhookEventRoutes, webhookRoutes } from "./webhooks.ts";

export { CONTROL_PATH };

/**
 * Every operation of the control API, as a function from its request to its result. The server implements it, and
 * `connectMock` and the inspector call it.
 */
export type ControlApi = CollectionOperations & {
  readonly mock: MockOperations;
  readonly tokens: TokenOperations;
  readonly versions: VersionOperations;
  readonly clock: ClockOperations;
  readonly snapshots: SnapshotOperations;
  readonly usage: UsageOperations;
  readonly webhooks: WebhookOperations;
  readonly webhookEvents: ReadOperations<EmittedEvent>;
  readonly deliveries: ReadOperations<Delivery>;
  readonly faults: FaultOperations;
  readonly requests: RequestOperations;
  readonly changes: ChangeOperations;
};

/** The route of every operation of the control API. */
export const controlRoutes: { readonly [Group in keyof ControlApi]: RoutesOf<ControlApi[Group]> } = {
  mock: mockRoutes,
  tokens: tokenRoutes,
  versions: versionRoutes,
  clock: clockRoutes,
  snapshots: snapshotRoutes,
  ...collectionRoutes,
  usage: usageRoutes,
  webhooks: webhookRoutes,
  webhookEvents: webhookEventRoutes,
  deliveries: deliveryRoutes,
  faults: faultRoutes,
  requests: requestRoutes,
  changes: changeRoutes,
};

/** A route with the names of its operation: `faults` and `add` for `faults.add`. */
export interface NamedRoute {
  readonly group: string;
  readonly action: string;
  readonly route: ControlRoute;
}

/** Every route of the control API, in the order of the documentation. */
export const namedRoutes: readonly NamedRoute[] = Object.entries(controlRoutes).flatMap(([group, routes]) =>
  Object.entries<ControlRoute>(routes).map(([action, route]) => ({ group, action, route })),
);
