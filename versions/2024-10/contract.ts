import { type Contract, frozenContract, SECURITY_SCHEMES } from "../../src/contract/index.ts";
import { ingestEvents } from "./events.ts";
import { authorize } from "./oauth2.ts";
import { listProducts } from "./products.ts";
import { SCOPES } from "./scopes.ts";
import { VERSION } from "./version.ts";
import { createWebhookEndpoint, getWebhookEndpoint, updateWebhookEndpoint } from "./webhook-endpoints.ts";
import { WEBHOOK_EVENT_TYPES } from "./webhook-event-types.ts";

/** Describes everything that this version of the service promises, as data. */
export const contract: Contract = /* @__PURE__ */ frozenContract({
  version: VERSION,
  operations: [getWebhookEndpoint, createWebhookEndpoint, updateWebhookEndpoint, ingestEvents, authorize, listProducts],
  scopes: SCOPES,
  securitySchemes: SECURITY_SCHEMES,
  webhookEventTypes: WEBHOOK_EVENT_TYPES,
  webhookData: {},
});
