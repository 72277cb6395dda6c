/**
 * Compares `verifyWebhook` with the package standardwebhooks on the same messages of several sizes: `npm run bench -- webhooks`.
 */
import { Webhook } from "standardwebhooks";
import { signWebhook, verifyWebhook } from "#current/webhooks";
import { compare, perSecond, scaled } from "./harness.ts";

const CALLS = scaled(4_000);
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

for (const bytes of [100, 1_000, 4_000, 20_000]) {
  const data = { id: "ord_1", items: "x".repeat(bytes) };
  const { body, headers } = await signWebhook({ type: "order.paid", data }, { secret });
  const webhook = new Webhook(secret);
  await compare({
    metrics: [
      { title: `verifying a body of ${body.length.toLocaleString("en")} bytes`, unit: "deliveries/s", more: true },
    ],
    cases: {
      standardwebhooks: async () => [await perSecond(CALLS, () => webhook.verify(body, { ...headers }))],
      verifyWebhook: async () => [await perSecond(CALLS, () => verifyWebhook({ body, headers }, { secret }))],
    },
  });
}
