// A receiver in its own process that shares the store of `seen` with others. It counts the runs of each event in Redis, and
// dies in the middle of an event if its data says so. Arguments: the URL of Redis, and the secret.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import KeyvRedis from "@keyv/redis";
import Keyv from "keyv";
import { createClient } from "redis";
import { createWebhookHandler, toNodeListener } from "../../versions/2025-01/webhooks.ts";

const [url = "", secret = ""] = process.argv.slice(2);
const redis = createClient({ url });
await redis.connect();

const handle = createWebhookHandler({
  secret,
  seen: new Keyv(new KeyvRedis(url)),
  settleMs: 400,
  leaseMs: 4_000,
  on: {
    "*": async ({ id, data }) => {
      await redis.incr(`runs:${id}`);
      if ((data as { dieOn?: string }).dieOn === String(process.pid)) process.kill(process.pid, "SIGKILL");
    },
  },
});
const server = createServer(toNodeListener(handle)).listen(0, "127.0.0.1", () => {
  console.log((server.address() as AddressInfo).port);
});
