// Written by `npm run generate` from the resources in versions/.

/** The method of the client that calls an operation, by the id of the operation, for each version. */
export const methods = {
  "2024-10": {
    "events:ingest": "events.ingest",
    "oauth2:authorize": "oauth2.authorize",
    "products:list": "products.list",
    "webhooks:get_webhook_endpoint": "webhooks.getEndpoint",
    "webhooks:create_webhook_endpoint": "webhooks.createEndpoint",
    "webhooks:update_webhook_endpoint": "webhooks.updateEndpoint",
  },
  "2025-01": {
    "events:ingest": "events.ingest",
    "oauth2:authorize": "oauth2.authorize",
    "products:list": "products.list",
    "webhooks:get_webhook_endpoint": "webhooks.getEndpoint",
    "webhooks:create_webhook_endpoint": "webhooks.createEndpoint",
    "webhooks:update_webhook_endpoint": "webhooks.updateEndpoint",
  },
  "2025-04": {
    "events:ingest": "events.ingest",
    "oauth2:authorize": "oauth2.authorize",
    "products:list": "products.list",
    "webhooks:get_webhook_endpoint": "webhooks.getEndpoint",
    "webhooks:create_webhook_endpoint": "webhooks.createEndpoint",
    "webhooks:update_webhook_endpoint": "webhooks.updateEndpoint",
  },
} as const;
