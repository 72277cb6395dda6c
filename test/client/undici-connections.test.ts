import type { IncomingMessage } from "node:http";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failureOf, json, serve, stall, stallBody, thing } from "./service.ts";
import { THING, tinyClient } from "./tiny-contract.ts";
import { clientOf, countConnections, noConnections, open } from "./undici-client.ts";

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

beforeEach(() => void process.on("unhandledRejection", note).on("uncaughtException", note));
afterEach(() => {
  process.off("unhandledRejection", note).off("uncaughtException", note);
  expect(unhandled.splice(0)).toEqual([]);
});

/** The connections for calls one after the other: undici frees one shortly after it has passed on the end of a body. */
const SEQUENTIAL = 2;

describe("connections of undici", () => {
  it("are reused", async () => {
    const service = await serve(thing);
    const connections = countConnections(service.server);
    const client = clientOf(service);
    for (let calls = 0; calls < 10; calls++) await client.read("t1");
    expect(service.seen).toHaveLength(10);
    expect(connections()).toBeLessThanOrEqual(SEQUENTIAL);
  });

  it("are reused after an error response and an empty body", async () => {
    const service = await serve(json(404, { error: "Gone", detail: "x" }), (response) => response.writeHead(204).end());
    const connections = countConnections(service.server);
    const client = clientOf(service);
    for (let calls = 0; calls < 8; calls++) await client.read("t1").safe();
    expect(service.seen).toHaveLength(8);
    expect(connections()).toBeLessThanOrEqual(SEQUENTIAL);
  });

  it("are at most `connections`, and further calls wait", async () => {
    const service = await serve((response, request) => void setTimeout(() => thing(response, request), 5));
    const connections = countConnections(service.server);
    const client = clientOf(service, open({ connections: 2 }));
    await Promise.all(Array.from({ length: 10 }, () => client.read("t1")));
    expect([service.seen.length, connections()]).toEqual([10, 2]);
  });

  it("that the server has closed are replaced", async () => {
    const service = await serve(thing);
    const client = clientOf(service);
    await client.read("t1");
    service.server.closeAllConnections();
    await noConnections(service.server);
    expect(await client.read("t1")).toEqual(THING);
  });

  it("are shared by clients of one transport", async () => {
    const service = await serve(thing);
    const connections = countConnections(service.server);
    const transport = open();
    for (let clients = 0; clients < 5; clients++) await clientOf(service, transport).read("t1");
    expect(connections()).toBeLessThanOrEqual(SEQUENTIAL);
  });
});

describe("a call through undici that is aborted", () => {
  it("while it connects ends at once, and its request is never sent", async () => {
    const { Agent } = await import("undici");
    const connecting = Promise.withResolvers<() => void>();
    const service = await serve(thing);
    const connect = (_options: object, callback: (error: Error, socket: null) => void): void =>
      connecting.resolve(() => callback(new Error("too late"), null));
    const dispatcher = new Agent({ connect });
    const controller = new AbortController();
    const failure = failureOf(clientOf(service, open({ dispatcher })).read("t1", { signal: controller.signal }));
    const fail = await connecting.promise;
    controller.abort();
    expect((await failure).name).toBe("AbortedError");
    fail();
    await dispatcher.destroy();
    expect(service.seen).toEqual([]);
  });

  it("while it waits for a connection ends at once, and its request is never sent", async () => {
    const replies: (() => void)[] = [];
    const service = await serve((response, request) => void replies.push(() => thing(response, request)), thing);
    const client = clientOf(service, open({ connections: 1 }));
    const first = client.read("t1");
    await service.replied(1);
    const second = failureOf(client.read("t2", { signal: AbortSignal.timeout(5) }));
    expect((await second).name).toBe("TimeoutError");
    replies[0]?.();
    await first;
    await client.read("t3");
    expect(service.seen.map(({ url }) => url)).toEqual(["/v1/things/t1", "/v1/things/t3"]);
  });

  it("while it sends a large body closes the connection", async () => {
    const service = await serve(thing);
    const controller = new AbortController();
    service.server.removeAllListeners("request").once("request", (request: IncomingMessage) => {
      controller.abort();
      request.on("error", () => {}).resume();
    });
    const body = { key: "x".repeat(20_000_000) };
    const error = await failureOf(clientOf(service).add(body, { signal: controller.signal }));
    expect(error.name).toBe("AbortedError");
    await noConnections(service.server);
  });

  it.each([
    ["while it waits for the headers", stall],
    ["while it reads the body", stallBody()],
    ["while it reads the body of an error", stallBody(404)],
  ])("%s closes the connection", async (_, reply) => {
    const service = await serve(reply);
    const controller = new AbortController();
    const failure = failureOf(clientOf(service).read("t1", { signal: controller.signal }));
    await service.replied(1);
    setTimeout(() => controller.abort(), 20);
    expect((await failure).name).toBe("AbortedError");
    await noConnections(service.server);
  });

  it("after its headers, by a hook that throws, closes the connection", async () => {
    const service = await serve(stallBody());
    const hooks = { onResponse: () => Promise.reject(new Error("no")) };
    const client = tinyClient({ baseUrl: service.baseUrl, transport: open(), hooks });
    expect((await failureOf(client.read("t1"))).message).toBe("no");
    await noConnections(service.server);
  });

  it("before it starts sends nothing", async () => {
    const service = await serve(thing);
    const error = await failureOf(clientOf(service).read("t1", { signal: AbortSignal.abort() }));
    expect(error.name).toBe("AbortedError");
    expect(service.seen).toEqual([]);
  });
});
