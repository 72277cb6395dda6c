/**
 * A webhook receiver in its own process. It prints its port. A GET returns how often each event ran, and the most memory so
 * far. Arguments: the secret, and one of the servers below.
 */
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import express from "express";
import fastify from "fastify";
import { createWebhookHandler, toNodeListener } from "#current/webhooks";

const [secret = "", kind = ""] = process.argv.slice(2);
const runs: Record<string, number> = {};
const listener = toNodeListener(
  createWebhookHandler({
    secret,
    on: {
      "*": async ({ id }) => {
        runs[id] = (runs[id] ?? 0) + 1;
        await sleep(Math.random() * 20);
      },
    },
    onError: () => undefined,
  }),
);
const statistics = () => JSON.stringify({ runs, peakBytes: process.resourceUsage().maxRSS * 1024 });

const SERVERS: Readonly<Record<string, () => Promise<number>>> = {
  "node:http": () =>
    listen((request, response) => {
      if (request.method === "GET") response.end(statistics());
      else void listener(request, response);
    }),
  Express: () => {
    const app = express().post("/", listener);
    return listen(app.get("/", (_, response) => void response.end(statistics())));
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

function listen(requestListener: RequestListener): Promise<number> {
  return new Promise((resolve) => {
    const server = createServer(requestListener).listen(0, "127.0.0.1", () => {
      resolve((server.address() as AddressInfo).port);
    });
  });
}

console.log(await SERVERS[kind]?.());
