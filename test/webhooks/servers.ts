import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { fileURLToPath } from "node:url";
import { serve } from "@hono/node-server";
import express, { type Express } from "express";
import fastify, { type FastifyInstance } from "fastify";
import { Hono } from "hono";
import { onTestFinished } from "vitest";
import { type DeliveryHandler, toNodeListener } from "../../versions/2025-01/webhooks.ts";
import { startLocalServer } from "../support/local-server.ts";

/** Starts a server that passes deliveries to a handler until the test ends. Returns the URL for deliveries. */
export type StartServer = (handle: DeliveryHandler) => Promise<string>;

const path = "/webhooks";

/** Starts a server of Node.js or Express. */
export async function listen(listener: RequestListener): Promise<string> {
  return (await startLocalServer(listener)).origin + path;
}

/** Returns a function that starts Express. */
export function onExpress(
  prepare: (app: Express) => unknown,
  handleOf: (handle: DeliveryHandler) => unknown = toNodeListener,
): StartServer {
  return (handle) => {
    const app = express();
    prepare(app);
    app.all(path, handleOf(handle) as never);
    return listen(app);
  };
}

/** Returns a function that starts Fastify. */
export function onFastify(
  prepare: (app: FastifyInstance) => unknown,
  handleOf: (handle: DeliveryHandler) => unknown = toNodeListener,
): StartServer {
  return async (handle) => {
    const app = fastify();
    prepare(app);
    app.post(path, handleOf(handle) as never);
    onTestFinished(() => app.close());
    return (await app.listen({ port: 0, host: "127.0.0.1" })) + path;
  };
}

/** Keeps the raw body of JSON in Fastify. */
export function keepBuffers(app: FastifyInstance): void {
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_, body, done) => done(null, body));
}

/** Servers that pass raw bodies to a handler, by name. */
export const servers: Readonly<Record<string, StartServer>> = {
  "node:http": (handle) => listen(toNodeListener(handle)),
  "Express 5": onExpress(() => undefined),
  "Express 5 with express.raw": onExpress((app) => app.use(express.raw({ type: "*/*" }))),
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

/** Servers whose application answers a slow delivery itself, by name. */
export const impatientServers: Readonly<Record<string, StartServer>> = {
  "node:http": (handle) => {
    const listener = toNodeListener(handle);
    return listen((request, response) => {
      void listener(request, response);
      setTimeout(() => response.headersSent || response.writeHead(503).end("too slow"), 20);
    });
  },
  "Express 5": onExpress((app) =>
    app.use((_, response, next) => {
      setTimeout(() => response.headersSent || response.status(503).send("too slow"), 20);
      next();
    }),
  ),
  "Fastify 5": onFastify((app) => {
    keepBuffers(app);
    app.addHook("preHandler", (_, reply, done) => {
      setTimeout(() => reply.sent || reply.code(503).send("too slow"), 20);
      done();
    });
  }),
};

/** Servers to which a handler is passed without `toNodeListener`, by name. */
export const unconvertedServers: Readonly<Record<string, StartServer>> = {
  "node:http": (handle) => listen(handle as never),
  "Express 5": onExpress(
    () => undefined,
    (handle) => handle,
  ),
};

/** Starts `receiver-process.ts`. It is killed when the test ends. */
export async function startProcess(
  programArguments: readonly string[],
  nodeOptions: readonly string[] = [],
): Promise<{ readonly url: string; readonly child: ChildProcess }> {
  const program = fileURLToPath(new URL("receiver-process.ts", import.meta.url));
  const child = spawn(process.execPath, [...nodeOptions, program, ...programArguments], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const [port] = await once(child.stdout, "data");
  return { url: `http://127.0.0.1:${String(port).trim()}`, child };
}
