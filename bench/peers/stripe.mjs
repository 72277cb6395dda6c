import Stripe from "stripe";

export function make(baseUrl) {
  const { hostname: host, port } = new URL(baseUrl);
  const stripe = new Stripe("sk_test_0123456789", { host, port, protocol: "http" });
  return () => stripe.webhookEndpoints.retrieve("we_1");
}
