import { eventsLimit } from "./events.ts";
import type { Limit } from "./limit.ts";
import { createEndpointLimit, updateEndpointLimit } from "./webhook-endpoints.ts";

/** The limits of each operation's body, by the operation's identifier. */
export const limits: Readonly<Record<string, Limit>> = {
  "events:ingest": eventsLimit,
  "webhooks:create_webhook_endpoint": createEndpointLimit,
  "webhooks:update_webhook_endpoint": updateEndpointLimit,
};
