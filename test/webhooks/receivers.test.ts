import { request as httpRequest, type IncomingMessage, type RequestListener } from "node:http";
import { serve } from "@hono/node-server";
import express, { type Express } from "express";
import fastify, { type FastifyInstance } from "fastify";
import { Hono } from "hono";
import { expect, it, onTestFinished, vi } from "vitest";
import {
  createWebhookHandler,
  type DeliveryHandler,
  signWebhook,
  toNodeListener,
  WEBHOOK_EVENT_TYPES,
  type WebhookEvent,
} from "#current/webhooks";
import { createMock } from "../../mock/index.ts";
import { startLocalServer } from "../support/local-server.ts";
import { order, secret } from "./signed.ts";

/** Starts a server that passes deliveries to a handler until the test ends. Returns the URL for deliveries. */
type StartServer = (handle: DeliveryHandler) => Promise<string>;

const path = "/webhooks";

/** Starts a server of Node.js or Express. */
async function listen(listener: RequestListener): Promise<string> {
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
    app.post(path, ({ headers, raw }) => handle({ headers, body: raw }));
    onTestFinished(() => app.close());
    return (await app.listen({ port: 0, host: "127.0.0.1" })) + path;
  };
}

/** Servers that pass raw bodies to a handler, by name. */
const servers: Readonly<Record<string, StartServer>> = {
  "node:http": (handle) => listen(toNodeListener(handle)),
  "Express 5": onExpress(() => undefined),
  "Express after a parser that sets `body` and reads nothing, as in Express 4": onExpress((app) =>
    app.use((request, _, next) => {
      request.body = {};
      next();
    }),
  ),
  "node:http with the raw body beside a parsed one, as on Google Cloud": (handle) => {
    const listener = toNodeListener(handle);
    return listen(async (request, response) => {
      const rawBody = Buffer.concat(await request.toArray());
      void listener(Object.assign(request, { body: JSON.parse(String(rawBody)), rawBody }), response);
    });
  },
  "node:http with a getter for a parsed body, as on Vercel": (handle) => {
    const listener = toNodeListener(handle);
    return listen((request, response) => {
      Object.defineProperty(request, "body", { get: () => expect.unreachable() });
      void listener(request, response);
    });
  },
  "Fastify 5 without a parser": onFastify((app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_, __, done) => done(null));
  }),
  Hono: async (handle) => {
    const app = new Hono().post(path, (context) => handle(context.req.raw));
    const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1", overrideGlobalObjects: false });
    await new Promise((resolve) => server.once("listening", resolve));
    onTestFinished(() => void server.close());
    return `http://127.0.0.1:${(server.address() as { port: number }).port}${path}`;
  },
};

/** Servers whose body parser runs before the handler, by name. */
const parsingServers: Readonly<Record<string, StartServer>> = {
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

const signed = await signWebhook({ ...order, id: "evt_1" }, { secret });
const post = (url: string, delivery: { body: string; headers: object } = signed) =>
  fetch(url, { method: "POST", body: delivery.body, headers: { ...delivery.headers } });

it.each(Object.entries(servers))("DEL-7, WHT-1: %s receives every type from a mock, each once", async (_, start) => {
  const mock = createMock();
  const endpoint = mock.webhookEndpoints.create({ events: [...WEBHOOK_EVENT_TYPES] });
  const received: WebhookEvent[] = [];
  const on = { "*": (event: WebhookEvent) => void received.push(event) };
  const url = await start(createWebhookHandler({ secret: endpoint.secret, on }));
  mock.webhookEndpoints.update(endpoint.id, { url });

  const events = WEBHOOK_EVENT_TYPES.flatMap((type) => mock.webhooks.emit(type, { name: `é ${type}` }));
  await mock.webhooks.idle();
  mock.webhooks.redeliver(events[0]?.id ?? "");
  await mock.webhooks.idle();
  expect(received.map(({ type }) => type).sort()).toEqual([...WEBHOOK_EVENT_TYPES].sort());
  for (const { type, data } of received) expect(data).toEqual({ name: `é ${type}` });
  const statuses = mock.webhooks.deliveries.list().map(({ response_status }) => response_status);
  expect(statuses).toEqual(Array(WEBHOOK_EVENT_TYPES.length + 1).fill(204));
});

it("node:http responds with 413 before an endless body ends, and closes the connection", async () => {
  const url = await servers["node:http"]?.(createWebhookHandler({ secret, on: {}, maxBodyBytes: 1_000 }));
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest(url ?? "", { method: "POST", headers: signed.headers }, resolve);
    request.on("error", reject);
    request.write("x".repeat(2_000));
  });
  expect([response.statusCode, response.headers.connection]).toEqual([413, "close"]);
});

it.each(Object.entries(parsingServers))(
  "%s responds with 400, and the error says that a body parser ran first and what to do",
  async (_, start) => {
    const onError = vi.fn();
    const response = await post(await start(createWebhookHandler({ secret, on: {}, onError })));
    expect([response.status, response.headers.get("content-type")]).toEqual([400, expect.stringMatching(/\/json/)]);
    const { error, detail } = await response.json();
    expect(error).toMatch(/^body-(parsed|consumed)$/);
    expect(detail).toMatch(/body parser.*In Express, register this route before express\.json\(\)\. In Fastify, add a/);
    expect(onError).toHaveBeenCalledOnce();
  },
);

it("toNodeListener leaves a response alone that the application has sent first", async () => {
  const listener = toNodeListener(createWebhookHandler({ secret, on: {} }));
  const url = await listen((request, response) => {
    response.writeHead(503).end("too slow");
    void listener(request, response);
  });
  const early = await post(url);
  // An unhandled rejection would fail the test run.
  expect([early.status, await early.text()]).toEqual([503, "too slow"]);
});

it("toNodeListener responds with 500 if a function of your own rejects, and rejects what is not a function", async () => {
  expect((await post(await listen(toNodeListener(() => Promise.reject(new Error("no")))))).status).toBe(500);
  expect(() => toNodeListener(undefined as never)).toThrow("toNodeListener: handler must be a function");
});

it("a handler that Node.js calls without toNodeListener logs what to do", async () => {
  const log = vi.spyOn(console, "error").mockImplementation(() => undefined);
  const handle = createWebhookHandler({ secret, on: {} });
  const url = await listen(async (request, response) => {
    await handle(request as never);
    response.end();
  });
  await post(url);
  const message = expect.stringContaining("In Express and node:http, pass toNodeListener(handler)");
  expect(log).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message }));
});
