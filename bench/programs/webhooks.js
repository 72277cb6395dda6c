// Receives webhooks of one version.
import { createWebhookHandler } from "#current/webhooks";

globalThis.handle = createWebhookHandler({
  secret: "whsec_of-a-certain-length",
  on: { "*": () => undefined },
});
