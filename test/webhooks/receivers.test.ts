import { request as httpRequest, type IncomingMessage, type ServerResponse } from "node:http";
import express from "express";
import fastify from "fastify";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { createMock } from "../../mock/index.ts";
import {
  createWebhookHandler,
  type DeliveryHandler,
  InvalidInputError,
  signWebhook,
  toNodeListener,
  WEBHOOK_EVENT_TYPES,
  type WebhookEvent,
} from "../../versions/2025-01/webhooks.ts";
import { startLocalServer } from "../support/local-server.ts";
import { parsingServers, type StartServer, servers } from "./servers.ts";
import { gate, order, other, secret } from "./signed.ts";

const schemes = { standard: true, original: false };

describe.each(Object.entries(servers))("%s", (_, start) => {
  it.each(Object.entries(schemes))(
    "DEL-7, DEL-8: receives every type from the mock, signed with the scheme %s, and each event once",
    async (_, uses_standard_webhook_signature) => {
      const mock = createMock();
      const endpoint = mock.webhookEndpoints.create({
        uses_standard_webhook_signature,
        events: [...WEBHOOK_EVENT_TYPES],
      });
      const received: WebhookEvent[] = [];
      const on = { "*": (event: WebhookEvent) => void received.push(event) };
      const url = await start(createWebhookHandler({ secret: endpoint.secret, on }));
      mock.webhookEndpoints.update(endpoint.id, { url });

      const events = WEBHOOK_EVENT_TYPES.flatMap((type) => mock.webhooks.emit(type, { name: `é ${type}` }));
      await mock.webhooks.idle();
      expect(received.map(({ type }) => type).sort()).toEqual([...WEBHOOK_EVENT_TYPES].sort());
      for (const { type, data } of received) expect(data).toEqual({ name: `é ${type}` });

      mock.webhooks.redeliver(events[0]?.id ?? "");
      await mock.webhooks.idle();
      const statuses = mock.webhooks.deliveries.list().map(({ response_status }) => response_status);
      expect(statuses).toEqual(Array.from({ length: WEBHOOK_EVENT_TYPES.length + 1 }, () => 204));
      expect(received).toHaveLength(WEBHOOK_EVENT_TYPES.length);
    },
  );

  it("responds with 401 to another secret, and with 500 if the function throws, with a JSON body", async () => {
    const onError = vi.fn();
    const on = { "order.paid": () => Promise.reject(new Error("no")) };
    const url = await start(createWebhookHandler({ secret, on, onError }));
    for (const [key, status, error] of [
      [other, 401, "signature-mismatch"],
      [secret, 500, "internal-error"],
    ] as const) {
      const response = await fetch(url, { method: "POST", ...(await signWebhook(order, { secret: key })) });
      expect(response.status).toBe(status);
      expect(response.headers.get("content-type")).toMatch(/^application\/json/);
      expect(await response.json()).toMatchObject({ error });
    }
    expect(onError).toHaveBeenCalledTimes(2);
  });

  it("responds with 413 to a body that is too long", async () => {
    const url = await start(createWebhookHandler({ secret, on: {}, maxBodyBytes: 1_000 }));
    const { body, headers } = await signWebhook({ ...order, data: "x".repeat(50_000) }, { secret });
    expect((await fetch(url, { method: "POST", body, headers })).status).toBe(413);
  });
});

it("node:http responds with 413 before an endless body ends, and closes the connection", async () => {
  const url = await servers["node:http"]?.(createWebhookHandler({ secret, on: {}, maxBodyBytes: 1_000 }));
  const { headers } = await signWebhook(order, { secret });
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const request = httpRequest(url ?? "", { method: "POST", headers }, resolve);
    request.on("error", reject);
    request.write("x".repeat(2_000));
  });
  expect(response.statusCode).toBe(413);
  expect(response.headers).toMatchObject({ connection: "close" });
});

it.each(["node:http", "Express 5 with express.raw"])("%s responds with 405 to a GET", async (name) => {
  const url = await servers[name]?.(createWebhookHandler({ secret, on: {} }));
  const response = await fetch(url ?? "");
  expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
});

describe.each(Object.entries(parsingServers))("%s", (_, start) => {
  it("responds with 400, and the error says that a body parser ran first and what to do", async () => {
    const onError = vi.fn();
    const url = await start(createWebhookHandler({ secret, on: {}, onError }));
    const response = await fetch(url, { method: "POST", ...(await signWebhook(order, { secret })) });
    expect(response.status).toBe(400);
    const { error, detail } = await response.json();
    expect(error).toMatch(/^body-(parsed|consumed)$/);
    expect(detail).toMatch(/body parser.*In Express, register this route before express\.json\(\)\. In Fastify, add a/);
    expect(onError).toHaveBeenCalledOnce();
  });
});

/** Servers whose application answers a slow delivery itself, by name. */
const impatient: Readonly<Record<string, (handle: DeliveryHandler) => Promise<string>>> = {
  "node:http": async (handle) => {
    const listener = toNodeListener(handle);
    const { origin } = await startLocalServer((request, response) => {
      void listener(request, response);
      setTimeout(() => response.headersSent || response.writeHead(503).end("too slow"), 20);
    });
    return origin;
  },
  "Express 5": async (handle) => {
    const app = express();
    app.use((_, response, next) => {
      setTimeout(() => response.headersSent || response.status(503).send("too slow"), 20);
      next();
    });
    app.post("/", toNodeListener(handle));
    return (await startLocalServer(app)).origin;
  },
  "Fastify 5": (handle) => {
    const app = fastify();
    app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_, body, done) => done(null, body));
    app.addHook("preHandler", (_, reply, done) => {
      setTimeout(() => reply.sent || reply.code(503).send("too slow"), 20);
      done();
    });
    app.post("/", toNodeListener(handle));
    onTestFinished(() => app.close());
    return app.listen({ port: 0, host: "127.0.0.1" });
  },
};

describe.each(Object.entries(impatient))("an application with %s that answers before the handler", (_, start) => {
  it("is left alone: nothing rejects, and the next delivery gets a 204", async () => {
    const rejected = vi.fn();
    process.on("unhandledRejection", rejected);
    onTestFinished(() => void process.off("unhandledRejection", rejected));
    const { opened, open } = gate();
    const run = vi.fn(() => opened);
    const finished = vi.fn();
    const handle = createWebhookHandler({ secret, on: { "*": run } });
    const url = await start((request) => handle(request).finally(finished));
    const signed = await signWebhook({ ...order, id: "evt_1" }, { secret });
    const early = await fetch(url, { method: "POST", ...signed });
    expect([early.status, await early.text()]).toEqual([503, "too slow"]);
    open();
    await vi.waitFor(() => expect(finished).toHaveBeenCalledOnce());
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(rejected).not.toHaveBeenCalled();
    expect((await fetch(url, { method: "POST", ...signed })).status).toBe(204);
    expect(run).toHaveBeenCalledOnce();
  });
});

it("toNodeListener responds with 500 if a function of your own rejects, and rejects what is not a function", async () => {
  const { origin } = await startLocalServer(toNodeListener(() => Promise.reject(new Error("no"))));
  expect((await fetch(origin, { method: "POST" })).status).toBe(500);
  expect(() => toNodeListener(undefined as never)).toThrow("toNodeListener: handler must be a function");
});

describe.each<[string, StartServer]>([
  ["node:http", async (handle) => (await startLocalServer(handle as never)).origin],
  ["Express 5", async (handle) => (await startLocalServer(express().post("/", handle as never))).origin],
])("a handler that is passed to %s without toNodeListener", (_, start) => {
  it("responds with 500, and tells onError what to do", async () => {
    const onError = vi.fn();
    const url = await start(createWebhookHandler({ secret, on: {}, onError }));
    const response = await fetch(url, { method: "POST", ...(await signWebhook(order, { secret })) });
    expect(response.status).toBe(500);
    expect(onError.mock.calls).toEqual([[expect.any(InvalidInputError), { status: 500, event: undefined }]]);
    expect(onError.mock.calls[0]?.[0].message).toContain("pass toNodeListener(handler)");
  });

  it("does not reject if the application has answered", async () => {
    const handle: (...args: never[]) => Promise<unknown> = createWebhookHandler({ secret, on: {}, onError: vi.fn() });
    const ends: Promise<unknown>[] = [];
    const url = await start(((request: never, response: ServerResponse) => {
      response.end("mine");
      ends.push(handle(request, response as never));
    }) as never);
    expect(await (await fetch(url, { method: "POST" })).text()).toBe("mine");
    await expect(Promise.all(ends)).resolves.toHaveLength(1);
  });
});

it("a handler that is passed to Fastify without toNodeListener works if the body is raw", async () => {
  const run = vi.fn();
  const app = fastify();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (_, body, done) => done(null, body));
  app.post("/", createWebhookHandler({ secret, on: { "*": run } }) as never);
  onTestFinished(() => app.close());
  const { body, headers } = await signWebhook(order, { secret });
  expect((await app.inject({ method: "POST", url: "/", payload: body, headers })).statusCode).toBe(204);
  expect(run).toHaveBeenCalledOnce();
});

it.each([{ params: {} }, undefined, { code: "a binding of a worker" }, () => undefined])(
  "a handler ignores another second argument: %o",
  async (second) => {
    const handle: (request: Request, second: unknown) => Promise<Response> = createWebhookHandler({ secret, on: {} });
    const signed = await signWebhook(order, { secret });
    const request = new Request("https://shop.example", { method: "POST", ...signed });
    expect((await handle(request, second)).status).toBe(204);
  },
);

it("a raw body that a platform keeps next to the parsed one is used", async () => {
  const run = vi.fn();
  const listener = toNodeListener(createWebhookHandler({ secret, on: { "*": run } }));
  const { body, headers } = await signWebhook(order, { secret });
  const { origin } = await startLocalServer((request, response) => {
    const kept = Object.assign(request, { body: JSON.parse(body), rawBody: Buffer.from(body) });
    void listener(kept, response);
  });
  expect((await fetch(origin, { method: "POST", body, headers })).status).toBe(204);
  expect(run).toHaveBeenCalledOnce();
});
