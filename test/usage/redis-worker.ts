// Adds events to a buffer with an outbox in Redis, and sends what is in it. Prints the number of the next event.
import { setTimeout as sleep } from "node:timers/promises";
import { createClient as createRedisClient } from "redis";
import { createEventBuffer, isOutboxError } from "../../src/usage/index.ts";
import { redisOutbox } from "../../src/usage/redis.ts";
import { createClient } from "../../versions/2025-01/index.ts";
import type { WorkerOptions } from "./start-worker.ts";

const AT_ONCE = 100;

const { redisUrl, serviceUrl, accessToken, name, from, to, leaseDuration, timeout } = JSON.parse(
  process.argv[2] as string,
) as WorkerOptions;
const client = await createRedisClient({ url: redisUrl })
  .on("error", () => undefined)
  .connect();
const billing = createClient({ accessToken, baseUrl: serviceUrl, timeout });
const usage = createEventBuffer(billing, {
  outbox: redisOutbox(client, { leaseDuration, pollInterval: 100 }),
  maxBatchEvents: 100,
  minRetryDelay: 20,
  maxRetryDelay: 500,
  logLevel: "off",
});

process.once("SIGTERM", async () => {
  await usage.close();
  client.destroy();
});

for (let next = from; next < to; next += AT_ONCE) {
  const numbers = Array.from({ length: Math.min(AT_ONCE, to - next) }, (_, index) => next + index);
  await Promise.all(numbers.map((number) => addUntilStored(`${name}-${number}`)));
  console.log(next + numbers.length);
}

/** Adds an event again while Redis is away. The id stays the same, so that the service stores it once. */
async function addUntilStored(external_id: string): Promise<void> {
  try {
    await usage.add({ name: "api.call", external_customer_id: "acme", external_id });
  } catch (error) {
    if (!isOutboxError(error)) throw error;
    await sleep(50);
    await addUntilStored(external_id);
  }
}
