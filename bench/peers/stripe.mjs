import Stripe from "stripe";

export function make(baseUrl) {
  const { hostname: host, port } = new URL(baseUrl);
  const stripe = new Stripe("sk_test_0123456789", { host, port, protocol: "http" });
  const body = { url: "https://example.com/webhooks/billing", enabled_events: ["charge.succeeded"] };
  return () => stripe.webhookEndpoints.create(body);
}
