// A bare fetch handler on @hono/node-server that responds to the same two requests, without rules.
import { serve } from "@hono/node-server";

const endpoint = {
  created_at: "2025-01-15T10:30:00.000000Z",
  modified_at: null,
  id: "3fa85f64-5717-4562-b3fc-2c963f66afa6",
  url: "http://localhost:3000/webhooks",
  name: null,
  api_version: "2025-01",
  format: "raw",
  secret: "whsec_TWZLUTlyOEdLWXFyVHdqVVBEOElMUFpJbzJMYUxhU3c=",
  organization_id: "1dbfc517-0bbf-4301-9ba8-555ca42b9737",
  events: ["checkout.created", "checkout.updated", "order.created", "order.paid", "order.refunded", "customer.created"],
  enabled: true,
  uses_standard_webhook_signature: true,
};

const json = (body: object): Response => Response.json(body, { headers: { "Service-Version": "2025-01" } });

const server = serve(
  {
    hostname: "127.0.0.1",
    port: 0,
    fetch: async (request: Request) => {
      const path = request.url.slice(request.url.indexOf("/", 8));
      if (request.method === "GET" && path.startsWith("/v1/webhooks/endpoints/")) return json(endpoint);
      const { events } = (await request.json()) as { readonly events: readonly unknown[] };
      return json({ inserted: 0, duplicates: events.length });
    },
  },
  ({ port }) => console.log(JSON.stringify({ url: `http://127.0.0.1:${port}` })),
);
process.on("SIGTERM", () => server.close());
