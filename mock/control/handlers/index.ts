import type { ControlApi } from "../routes/index.ts";
import { changeHandlers } from "./changes.ts";
import { clockHandlers } from "./clock.ts";
import { collectionHandlers } from "./collections.ts";
import { faultHandlers } from "./faults.ts";
import type { HandlersOf } from "./handler.ts";
import { mockHandlers } from "./mock.ts";
import { requestHandlers } from "./requests.ts";
import { snapshotHandlers } from "./snapshots.ts";
import { tokenHandlers } from "./tokens.ts";
import { usageHandlers } from "./usage.ts";
import { versionHandlers } from "./versions.ts";
import { deliveryHandlers, webhookEventHandlers, webhookHandlers } from "./webhooks.ts";

/** The handler of every operation of the control API. */
export const controlHandlers: { readonly [Group in keyof ControlApi]: HandlersOf<ControlApi[Group]> } = {
  mock: mockHandlers,
  tokens: tokenHandlers,
  versions: versionHandlers,
  clock: clockHandlers,
  snapshots: snapshotHandlers,
  ...collectionHandlers,
  usage: usageHandlers,
  webhooks: webhookHandlers,
  webhookEvents: webhookEventHandlers,
  deliveries: deliveryHandlers,
  faults: faultHandlers,
  requests: requestHandlers,
  changes: changeHandlers,
};
