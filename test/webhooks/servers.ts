import type { RequestListener } from "node:http";
import { serve } from "@hono/node-server";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import { onTestFinished } from "vitest";
import { type DeliveryHandler, toNodeListener } from "../../versions/2025-01/webhooks.ts";
import { startLocalServer } from "../support/local-server.ts";

/** Starts a server that passes deliveries to a handler until the test ends. Returns the URL for deliveries. */
export type StartServer = (handle: DeliveryHandler) => Promise<string>;

const path = "/webhooks";

/** Servers that pass raw bodies to a handler, by name. */
export const servers: Readonly<Record<string, StartServer>> = {
  "node:http": (handle) => listen(toNodeListener(handle)),
  "Express 5": (handle) => {
    const app = express();
    app.post(path, toNodeListener(handle));
    app.use(express.json());
    return listen(app);
  },
  "Express 5 with express.raw": (handle) => {
    const app = express();
    app.use(express.raw({ type: "*/*" }));
    app.all(path, toNodeListener(handle));
    return listen(app);
  },
  "Fastify 5 with a parser for buffers": (handle) => {
    const app = fastify();
    app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_, body, done) => done(null, body));
    app.post(path, toNodeListener(handle));
    onTestFinished(() => app.close());
    return app.listen({ port: 0, host: "127.0.0.1" }).then((origin) => origin + path);
  },
  "Fastify 5 without a parser": (handle) => {
    const app = fastify();
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_, __, done) => done(null));
    app.post(path, toNodeListener(handle));
    onTestFinished(() => app.close());
    return app.listen({ port: 0, host: "127.0.0.1" }).then((origin) => origin + path);
  },
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
  "Express 5 after express.json": (handle) => {
    const app = express();
    app.use(express.json());
    app.post(path, toNodeListener(handle));
    return listen(app);
  },
  "Fastify 5 with its own parser": (handle) => {
    const app = fastify();
    app.post(path, toNodeListener(handle));
    onTestFinished(() => app.close());
    return app.listen({ port: 0, host: "127.0.0.1" }).then((origin) => origin + path);
  },
  "node:http after something else read the body": (handle) => {
    const listener = toNodeListener(handle);
    return listen(async (request, response) => {
      await request.toArray();
      await listener(request, response);
    });
  },
};

async function listen(listener: RequestListener): Promise<string> {
  const { origin } = await startLocalServer(listener);
  return origin + path;
}
