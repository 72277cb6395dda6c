import { createPolar } from "@polar-sh/sdk/2026-10";

export function make(baseUrl) {
  const polar = createPolar({ accessToken: "bench-token-0123456789", baseUrl });
  return () => polar.webhooks.getWebhookEndpoint("3fa85f64-5717-4562-b3fc-2c963f66afa6");
}
