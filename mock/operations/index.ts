import type { OperationId } from "../generated/names.ts";
import { authorize } from "./authorize.ts";
import { ingestEvents } from "./ingest-events.ts";
import { listProducts } from "./list-products.ts";
import type { OperationHandler } from "./operation.ts";
import { createWebhookEndpoint, getWebhookEndpoint, updateWebhookEndpoint } from "./webhook-endpoints.ts";

/** The handler of every operation in the contracts of the package. */
export const operations: Readonly<Record<OperationId, OperationHandler>> = {
  "events:ingest": ingestEvents,
  "oauth2:authorize": authorize,
  "products:list": listProducts,
  "webhooks:create_webhook_endpoint": createWebhookEndpoint,
  "webhooks:get_webhook_endpoint": getWebhookEndpoint,
  "webhooks:update_webhook_endpoint": updateWebhookEndpoint,
};

/** The handlers by the id of the operation. An operation that only a given contract has is not in it. */
export const handlers: ReadonlyMap<string, OperationHandler> = new Map(Object.entries(operations));
