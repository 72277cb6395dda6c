// Receives webhooks of one version.
import { createWebhookHandler } from "@billing-service/sdk/2025-01/webhooks";

globalThis.handle = createWebhookHandler({
  secret: "whsec_of-a-certain-length",
  on: { "*": () => undefined },
});
