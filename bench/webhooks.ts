/**
 * Compares `verifyWebhook` with the package standardwebhooks on the same messages: `npm run bench:webhooks`.
 *
 * Both verify the same bodies, of several sizes, in turns of the same run.
 */
import { Webhook } from "standardwebhooks";
import { signWebhook, verifyWebhook } from "../versions/2025-01/webhooks.ts";

const ROUNDS = 9;
const CALLS = 4_000;
const secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

/** Returns how many calls per second a function makes, one at a time. */
async function perSecond(call: () => unknown): Promise<number> {
  const started = performance.now();
  for (let i = 0; i < CALLS; i++) await call();
  return (CALLS * 1000) / (performance.now() - started);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function compare(bytes: number): Promise<void> {
  const data = { id: "ord_1", items: "x".repeat(bytes) };
  const { body, headers } = await signWebhook({ type: "order.paid", data }, { secret });
  const webhook = new Webhook(secret);
  const ours = () => verifyWebhook({ body, headers }, { secret });
  const theirs = () => webhook.verify(body, { ...headers });
  const ratios: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const ratio = (await perSecond(ours)) / (await perSecond(theirs));
    if (round > 0) ratios.push(ratio);
  }
  console.log(`verifyWebhook, body of ${body.length} bytes: ${median(ratios).toFixed(2)} of standardwebhooks`);
}

for (const bytes of [100, 1_000, 4_000, 20_000]) await compare(bytes);
