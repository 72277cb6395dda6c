import { createPolar } from "@polar-sh/sdk/2026-10";

export function make(baseUrl) {
  const polar = createPolar({ accessToken: "bench-token-0123456789", baseUrl });
  const body = { url: "https://example.com/webhooks/billing", format: "raw", events: ["order.paid"] };
  return () => polar.webhooks.createWebhookEndpoint(body);
}
