// A receiver in its own process. It prints its port. A GET returns how often each event ran, and the most memory so far.
// Arguments: the secret, one of the servers below, and the URL of a Redis whose store it shares with other receivers. It
// dies in the middle of an event whose data says so.
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import express from "express";
import fastify from "fastify";
import { createWebhookHandler, type SeenStore, toNodeListener } from "../../versions/2025-01/webhooks.ts";

const [secret = "", kind = "node:http", redisUrl] = process.argv.slice(2);
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
  ...(redisUrl && { seen: await redisStore(redisUrl), settleMs: 400, leaseMs: 4_000 }),
});
const listener = toNodeListener(handle);
const statistics = () => JSON.stringify({ runs, peakBytes: process.resourceUsage().maxRSS * 1024 });

const servers: Readonly<Record<string, () => Promise<number>>> = {
  "node:http": () =>
    listen((request, response) => {
      if (request.method === "GET") response.end(statistics());
      else void listener(request, response);
    }),
  Express: () => {
    const app = express().post("/", listener);
    app.get("/", (_, response) => void response.end(statistics()));
    return listen(app);
  },
  Fastify: async () => {
    const app = fastify({ bodyLimit: 1e9 });
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_, __, done) => done(null));
    app.post("/", listener);
    app.get("/", (_, reply) => reply.send(statistics()));
    return Number(new URL(await app.listen({ port: 0, host: "127.0.0.1" })).port);
  },
};

async function redisStore(url: string): Promise<SeenStore> {
  const [{ default: Keyv }, { default: KeyvRedis }] = [await import("keyv"), await import("@keyv/redis")];
  return new Keyv(new KeyvRedis(url));
}

function listen(requestListener: RequestListener): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer(requestListener).listen(0, "127.0.0.1", () => {
      resolve((server.address() as AddressInfo).port);
    });
  });
}

console.log(await servers[kind]?.());
