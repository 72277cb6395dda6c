import type { RequestListener } from "node:http";
import { serve } from "@hono/node-server";
import express, { type Express } from "express";
import fastify, { type FastifyInstance } from "fastify";
import { Hono } from "hono";
import { onTestFinished } from "vitest";
import { type DeliveryHandler, toNodeListener } from "../../versions/2025-01/webhooks.ts";
import { startLocalServer } from "../support/local-server.ts";

/** Starts a server that passes deliveries to a handler until the test ends. Returns the URL for deliveries. */
type StartServer = (handle: DeliveryHandler) => Promise<string>;

const path = "/webhooks";

/** Starts a server of Node.js or Express. */
export async function listen(listener: RequestListener): Promise<string> {
  return (await startLocalServer(listener)).origin + path;
}

/** Returns a function that starts Express. */
function onExpress(prepare: (app: Express) => unknown): StartServer {
  return (handle) => {
    const app = express();
    prepare(app);
    app.all(path, toNodeListener(handle));
    return listen(app);
  };
}

/** Returns a function that starts Fastify. */
function onFastify(prepare: (app: FastifyInstance) => unknown): StartServer {
  return async (handle) => {
    const app = fastify();
    prepare(app);
    app.post(path, toNodeListener(handle) as never);
    onTestFinished(() => app.close());
    return (await app.listen({ port: 0, host: "127.0.0.1" })) + path;
  };
}

/** Keeps the raw body of JSON in Fastify. */
function keepBuffers(app: FastifyInstance): void {
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_, body, done) => done(null, body));
}

/** Servers that pass raw bodies to a handler, by name. */
export const servers: Readonly<Record<string, StartServer>> = {
  "node:http": (handle) => listen(toNodeListener(handle)),
  "Express 5": onExpress(() => undefined),
  "Fastify 5 with a parser for buffers": onFastify(keepBuffers),
  "Fastify 5 without a parser": onFastify((app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_, __, done) => done(null));
  }),
  Hono: async (handle) => {
    const app = new Hono().post(path, (context) => handle(context.req.raw));
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" });
    await new Promise((resolve) => server.once("listening", resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as { port: number }).port}${path}`;
  },
};

/** Servers whose body parser runs before the handler, by name. */
export const parsingServers: Readonly<Record<string, StartServer>> = {
  "Express 5 after express.json": onExpress((app) => app.use(express.json())),
  "Fastify 5 with its own parser": onFastify(() => undefined),
  "node:http after something else read the body": (handle) => {
    const listener = toNodeListener(handle);
    return listen(async (request, response) => {
      await request.toArray();
      await listener(request, response);
    });
  },
};
