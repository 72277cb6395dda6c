import type { OperationHandler } from "./operation-handler.ts";
import { findEndpoint, shownEndpoint } from "./webhook-endpoint-fields.ts";

/** GET /v1/webhooks/endpoints/{id} (specification, section 4.1). */
export const getWebhookEndpoint: OperationHandler = {
  handle: (context) => {
    const found = findEndpoint(context);
    return "status" in found ? found : { data: shownEndpoint(found, context) };
  },
};
