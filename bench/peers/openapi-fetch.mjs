import createClient from "openapi-fetch";

export function make(baseUrl) {
  const client = createClient({ baseUrl, headers: { authorization: "Bearer bench-token-0123456789" } });
  const body = { url: "https://example.com/webhooks/billing", format: "raw", events: ["order.paid"] };
  return async () => (await client.POST("/v1/webhooks/endpoints", { body })).data;
}
