import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { createClient } from "#current";
import { startServer } from "../../mock/server.ts";
import { nextRequest } from "../support/next-request.ts";
import { begin, exchange, open, read, requestText } from "../support/raw-socket.ts";
import { authorized, EVENT, exchanged, started } from "../support/started-server.ts";
import { CURRENT, NEXT } from "../support/versions.ts";

test("SEC-1, G-REPEAT: two credentials are rejected in any order", async () => {
  const server = await started();
  const tokens = [server.mock.issueToken(), "unknown"];
  for (const [one, other] of [tokens, tokens.toReversed(), [tokens[0], tokens[0]]]) {
    const headers = { Authorization: `Bearer ${one}`, authorization: `Bearer ${other}` };
    expect(await exchanged(server, "GET /v1/products/", headers)).toMatch(/^HTTP\/1.1 401 /);
  }
});

test("ENV-3, G-CONTENT-TYPE: two values of Content-Type are rejected in any order", async () => {
  const server = await started();
  const types = ["application/json", "text/plain"];
  for (const [one, other] of [types, types.toReversed()] as [string, string][]) {
    const { authorization = "" } = authorized(server);
    const sent = { authorization, "Content-Type": one, "content-TYPE": other, "Content-Length": `${EVENT.length}` };
    expect(await exchanged(server, "POST /v1/events/ingest", sent, EVENT)).toMatch(/^HTTP\/1.1 422 /);
  }
});

test.each([
  ["HEAD, without a body", "HEAD /v1/products/", {}, /^HTTP\/1.1 405 [\s\S]*content-length: [1-9][\s\S]*\r\n\r\n$/i],
  ["OPTIONS *", "OPTIONS *", {}, /^HTTP\/1.1 40[45] /],
  ["an unknown method", "PROPFIND /v1/products/", {}, /^HTTP\/1.1 405 /],
  ["an absolute URL, as for a proxy", "GET https://api.billing-service.example/v1/products/", {}, /^HTTP\/1.1 200 /],
  ["an invalid Host, which does not affect the path", "GET /v1/products/", { Host: "x/v1/none?" }, /^HTTP\/1.1 200 /],
])("responds to %s", async (_, line, headers, expected) => {
  const server = await started();
  expect(await exchanged(server, line, authorized(server, headers))).toMatch(expected);
});

test("Expect: 100-continue gets 100, or the rejection of a body that is too large", async () => {
  const server = await started({ assumptions: { maxBodyBytes: 1000 } });
  const send = async (length: number) => {
    const socket = await open(server.url);
    const expects = { Expect: "100-continue", "content-length": String(length), Connection: "close" };
    socket.write(requestText("POST /v1/events/ingest", { ...authorized(server), ...expects }));
    socket.once("data", () => socket.write(EVENT));
    return read(socket);
  };
  expect((await send(EVENT.length)).text).toMatch(/^HTTP\/1.1 100 Continue\r\n\r\nHTTP\/1.1 200 OK\r\n/);
  expect((await send(5000)).text).toMatch(/^HTTP\/1.1 413 /);
});

test("a client that disconnects while sending a body does not affect the server", async () => {
  const server = await started();
  const headers = { ...authorized(server), "content-length": "500" };
  const socket = await begin(server.url, "POST /v1/events/ingest", headers);
  socket.write(EVENT);
  socket.destroySoon();
  await once(socket, "close");
  expect((await fetch(`${server.url}/v1/products/`, { headers: authorized(server) })).status).toBe(200);
});

test("close waits for pending responses and closes idle connections", async () => {
  const server = await started({ latency: 150 });
  const idle = read(await open(server.url));
  const arrived = nextRequest("/v1/products/");
  const begun = performance.now();
  const answer = fetch(`${server.url}/v1/products/`, { headers: authorized(server) });
  await arrived;
  await server.close({ grace: 600_000 });
  expect(performance.now() - begun).toBeGreaterThan(145);
  expect((await answer).status).toBe(200);
  expect((await idle).ending).not.toBe("open");
  await expect(fetch(server.url)).rejects.toThrow("fetch failed");
});

test("close ends deliveries: none is retried", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { mock, close } = await started();
  mock.webhookEndpoints.create({ url: "http://127.0.0.1:9" });
  mock.webhooks.emit("order.paid", {});
  await mock.webhooks.idle();
  expect(vi.getTimerCount()).toBe(1);
  await close();
  expect(vi.getTimerCount()).toBe(0);
});

test.each([
  [
    { port: -1 },
    "startServer: `port` must be an integer from 0 to 65535, and no port that `fetch` blocks; received -1.",
  ],
  [{ port: 6000 }, "no port that `fetch` blocks; received 6000."],
  [
    { control: { password: undefined } },
    "`control.password` must be a non-empty string; received undefined (is its environment variable set?).",
  ],
  [{ prot: 4010 }, 'startServer: unknown option "prot". Did you mean "port"?'],
])("rejects %o", async (options, message) => {
  await expect(startServer(options as object)).rejects.toThrow(message);
});

test("close rejects invalid options", async () => {
  await expect((await started()).close({ grace: -1 })).rejects.toThrow("close: `grace`");
});

test.each([
  ["400", "is not HTTP", "nonsense\r\n\r\n"],
  ["400", "has two lengths", requestText("POST /v1/x", { "content-length": "1", "Content-Length": "2" })],
  ["431", "has headers of 20 kB", requestText("GET /v1/x", { "x-padding": "x".repeat(20_000) })],
  ["400", "has no Host", "GET /v1/nothing HTTP/1.1\r\nConnection: close\r\n\r\n"],
  ["400", "has two Hosts", requestText("GET /v1/nothing", { host: "127.0.0.1", Connection: "close" })],
  ["400", "has no Host, and is for the control API", "GET /__mock/versions HTTP/1.1\r\nConnection: close\r\n\r\n"],
  ["417", "expects tea", requestText("POST /v1/x", { Expect: "tea", "content-length": "0", Connection: "close" })],
])("VER-5: a %s to a request that %s names Current, or the version asked for", async (status, _what, bytes) => {
  const { url } = await started();
  const { text } = await exchange(url, bytes);
  const named = (version: string) => new RegExp(`^HTTP/1.1 ${status} .*\r\nService-Version: ${version}\r\n`, "is");
  expect(text).toMatch(named(CURRENT));
  if (!/ HTTP\/1.1\r\n/.test(bytes) || /padding|Content-Length: 2/.test(bytes)) return;
  const asked = bytes.replace(" HTTP/1.1\r\n", ` HTTP/1.1\r\nService-Version: ${NEXT}\r\n`);
  expect((await exchange(url, asked)).text).toMatch(named(NEXT));
});

test("client and server need neither Promise.withResolvers nor URL.parse, which Node.js 20 and Hermes lack", async () => {
  const missing = () => {
    throw new TypeError("not a function");
  };
  vi.spyOn(Promise, "withResolvers").mockImplementation(missing);
  vi.spyOn(URL, "parse").mockImplementation(missing);
  const { mock, url } = await started({
    assumptions: { endpointUrl: { stored: "normalized" }, deliverTo: ["a.example"] },
  });
  const received = vi.fn(async () => new Response());
  mock.webhooks.receive("https://shop.example/", received);
  for (const connection of [{ baseUrl: url }, { fetch: mock.fetch }]) {
    const billing = createClient({ accessToken: mock.issueToken(), ...connection });
    await billing.webhooks.createEndpoint({ url: "https://shop.example/", format: "raw", events: ["order.paid"] });
  }
  mock.webhooks.emit("order.paid", {});
  await mock.webhooks.idle();
  expect(received).toHaveBeenCalledTimes(2);
});
