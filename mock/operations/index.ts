import { authorize } from "./authorize.ts";
import type { Behaviour } from "./behaviour.ts";
import { ingestEvents } from "./ingest-events.ts";
import { listProducts } from "./list-products.ts";
import { createWebhookEndpoint, getWebhookEndpoint, updateWebhookEndpoint } from "./webhook-endpoints.ts";

export type { Behaviour, Call, Success } from "./behaviour.ts";

/** What each operation does, by the operation's identifier. */
export const behaviours: Readonly<Record<string, Behaviour>> = {
  "webhooks:get_webhook_endpoint": getWebhookEndpoint,
  "webhooks:create_webhook_endpoint": createWebhookEndpoint,
  "webhooks:update_webhook_endpoint": updateWebhookEndpoint,
  "events:ingest": ingestEvents,
  "oauth2:authorize": authorize,
  "products:list": listProducts,
};
