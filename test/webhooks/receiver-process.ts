// A receiver in its own process. It prints its port. A GET returns how often each event ran. Arguments: the secret, and the
// URL of a Redis whose store it shares with other receivers. It dies in the middle of an event whose data says so.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createWebhookHandler, type SeenStore, toNodeListener } from "../../versions/2025-01/webhooks.ts";

const [secret = "", redisUrl = ""] = process.argv.slice(2);
const runs: Record<string, number> = {};
const handle = createWebhookHandler({
  secret,
  on: {
    "*": async ({ id, data }) => {
      runs[id] = (runs[id] ?? 0) + 1;
      if ((data as { dieOn?: string } | null)?.dieOn === String(process.pid)) process.kill(process.pid, "SIGKILL");
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 20));
    },
  },
  onError: () => undefined,
  seen: await redisStore(redisUrl),
  leaseMs: 4_000,
});
const listener = toNodeListener(handle);
const server = createServer((request, response) => {
  if (request.method === "GET") response.end(JSON.stringify({ runs }));
  else void listener(request, response);
});
server.listen(0, "127.0.0.1", () => console.log((server.address() as AddressInfo).port));

async function redisStore(url: string): Promise<SeenStore> {
  const { createClient } = await import("redis");
  const redis = await createClient({ url }).on("error", console.error).connect();
  return {
    get: (key) => redis.get(key),
    set: (key, value, ttl) => redis.set(key, value, { PX: ttl }),
    add: async (key, value, ttl) => (await redis.set(key, value, { PX: ttl, NX: true })) !== null,
    delete: (key) => redis.del(key),
  };
}
