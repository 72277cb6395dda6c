import type { Contract } from "../../src/contract/index.ts";
import { ingestEvents } from "./events.ts";
import { SCOPES, VERSION, WEBHOOK_EVENT_TYPES } from "./names.ts";
import { authorize } from "./oauth2.ts";
import { listProducts } from "./products.ts";
import { createWebhookEndpoint, getWebhookEndpoint, updateWebhookEndpoint } from "./webhook-endpoints.ts";

/** Describes everything that this version of the service promises, as data. */
export const contract: Contract = {
  version: VERSION,
  operations: [getWebhookEndpoint, createWebhookEndpoint, updateWebhookEndpoint, ingestEvents, authorize, listProducts],
  scopes: SCOPES,
  webhookEventTypes: WEBHOOK_EVENT_TYPES,
};
