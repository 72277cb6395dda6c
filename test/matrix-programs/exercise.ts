import { createMock } from "@billing-service/sdk/mock";
import { createEventBuffer } from "@billing-service/sdk/usage";
import { type ClientOptions, createClient } from "#current";
import { createWebhookHandler, signWebhook, verifyWebhook } from "#current/webhooks";
import { arrange, call, type Target } from "./calls.ts";

const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/**
 * Uses everything that works in every runtime: the client, in process and over a socket, webhooks, and the event buffer. Every
 * runtime must return the same.
 */
export async function exercise(target: Target) {
  const mock = createMock();
  const local = { accessToken: mock.issueToken(), fetch: mock.fetch };
  arrange(mock);
  return {
    inProcess: await call(local),
    overSocket: await call(target),
    webhooks: await receive(),
    buffered: await buffer(local),
  };
}

async function receive(): Promise<readonly unknown[]> {
  const received: unknown[] = [];
  const delivery = await signWebhook({ type: "order.paid", data: { id: "ord_1" } }, { secret: SECRET });
  const { type } = await verifyWebhook(delivery, { secret: SECRET });
  const take = ({ data }: { data: unknown }) => {
    received.push(type, data);
  };
  const handle = createWebhookHandler({ secret: SECRET, on: { "order.paid": take } });
  const request = () => new Request("https://shop.example/webhooks", { method: "POST", ...delivery });
  const forged = new Request(request(), { body: delivery.body.replace("ord_1", "ord_2") });
  return [(await handle(request())).status, (await handle(forged)).status, ...received];
}

async function buffer(options: ClientOptions): Promise<number> {
  const usage = createEventBuffer(createClient(options), { maxBatchEvents: 2 });
  for (const id of ["1", "2", "3"]) {
    await usage.add({ name: "api.call", external_customer_id: "acme", external_id: id });
  }
  await usage.close();
  return (await usage.stats()).sent;
}
