/** The webhook endpoint that the servers of benchmarks return. */
export const ENDPOINT = {
  created_at: "2025-01-15T10:30:00.000000Z",
  modified_at: "2025-02-01T08:00:00.000000Z",
  id: "3fa85f64-5717-4562-b3fc-2c963f66afa6",
  url: "https://example.com/webhooks/billing",
  name: "Production billing endpoint",
  api_version: "2025-01",
  format: "raw",
  secret: "whsec_TWZLUTlyOEdLWXFyVHdqVVBEOElMUFpJbzJMYUxhU3c=",
  organization_id: "1dbfc517-0bbf-4301-9ba8-555ca42b9737",
  events: ["checkout.created", "checkout.updated", "order.created", "order.paid", "order.refunded", "customer.created"],
  enabled: true,
  uses_standard_webhook_signature: true,
};
