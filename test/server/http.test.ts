import { once } from "node:events";
import { request } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { startServer } from "../../mock/server.ts";
import { nextRequest } from "../support/next-request.ts";
import { begin, exchange, open, read, requestText } from "../support/raw-socket.ts";
import { authorized, EVENT, started } from "../support/started-server.ts";

test("the service responds over a socket, with its version", async () => {
  const server = await started();
  const endpoint = server.mock.webhookEndpoints.create();
  const response = await fetch(`${server.url}/v1/webhooks/endpoints/${endpoint.id}`, { headers: authorized(server) });
  expect(response.status).toBe(200);
  expect(response.headers.get("service-version")).toBe("2025-01");
  expect(response.headers.get("content-type")).toBe("application/json");
  expect(await response.json()).toMatchObject({ id: endpoint.id, secret: endpoint.secret });
  expect(server.mock.requests.to("webhooks:get_webhook_endpoint")).toHaveLength(1);
});

test("starting a server does not change globals", async () => {
  const before = [globalThis.Request, globalThis.Response, globalThis.fetch];
  await started();
  expect([globalThis.Request, globalThis.Response, globalThis.fetch]).toEqual(before);
});

test("connections are reused, and requests may be pipelined", async () => {
  const server = await started();
  const get = requestText("GET /v1/nothing");
  const { text } = await exchange(server.url, get + get + requestText("GET /v1/nothing", { Connection: "close" }));
  expect(text.match(/HTTP\/1.1 404/g)).toHaveLength(3);
});

test("SEC-1, G-REPEAT: two credentials are rejected in any order", async () => {
  const server = await started();
  const tokens = [server.mock.issueToken(), "unknown"];
  for (const [one, other] of [tokens, tokens.toReversed(), [tokens[0], tokens[0]]]) {
    const headers = { Authorization: `Bearer ${one}`, authorization: `Bearer ${other}`, Connection: "close" };
    const { text } = await exchange(server.url, requestText("GET /v1/products/", headers));
    expect(text).toMatch(/^HTTP\/1.1 401 /);
  }
});

test("ENV-3, G-CONTENT-TYPE: two values of Content-Type are rejected in any order", async () => {
  const server = await started();
  for (const [one, other] of [
    ["application/json", "text/plain"],
    ["text/plain", "application/json"],
  ]) {
    const headers = { "Content-Type": one, "content-TYPE": other, "Content-Length": String(EVENT.length) };
    const sent = authorized(server, { ...headers, Connection: "close" } as Record<string, string>);
    delete sent["content-type"];
    const { text } = await exchange(server.url, requestText("POST /v1/events/ingest", sent, EVENT));
    expect(text).toMatch(/^HTTP\/1.1 422 /);
  }
});

test.each(["/v1/nothing", "/__mock/versions"])("VER-5: %s without Host is 400, and names Current", async (path) => {
  const server = await started();
  const { text } = await exchange(server.url, `GET ${path} HTTP/1.1\r\nConnection: close\r\n\r\n`);
  expect(text).toMatch(/^HTTP\/1.1 400 .*\r\nService-Version: 2025-01\r\n/is);
});

test("HEAD returns only the headers", async () => {
  const server = await started();
  const { text } = await exchange(server.url, requestText("HEAD /v1/products/", { Connection: "close" }));
  expect(text).toMatch(/^HTTP\/1.1 405 /);
  expect(text).toMatch(/content-length: [1-9]/i);
  expect(text).toMatch(/\r\n\r\n$/);
});

test.each(["OPTIONS * ", "OPTIONS /v1/events/ingest", "PROPFIND /v1/products/"])("responds to %s", async (line) => {
  const server = await started();
  const { text } = await exchange(server.url, requestText(line.trim(), { Connection: "close" }));
  expect(text).toMatch(/^HTTP\/1.1 40[45] /);
});

test("accepts an absolute URL in the request line, as a proxy sends it", async () => {
  const server = await started();
  const line = "GET https://api.billing-service.example/v1/products/";
  const { text } = await exchange(server.url, requestText(line, { ...authorized(server), Connection: "close" }));
  expect(text).toMatch(/^HTTP\/1.1 200 /);
});

test("an invalid Host header does not affect the path", async () => {
  const server = await started();
  const headers = { ...authorized(server), Host: "evil/v1/nothing?", Connection: "close" };
  const { text } = await exchange(server.url, requestText("GET /v1/products/", headers));
  expect(text).toMatch(/^HTTP\/1.1 200 /);
});

test("a body that is too large is rejected, with or without Content-Length", async () => {
  const server = await started({ assumptions: { maxBodyBytes: 1000 } });
  const body = JSON.stringify({ events: [], padding: "x".repeat(100_000) });
  const told = await fetch(`${server.url}/v1/events/ingest`, { method: "POST", headers: authorized(server), body });
  expect(told.status).toBe(413);
  const chunked = await fetch(`${server.url}/v1/events/ingest`, {
    method: "POST",
    headers: authorized(server),
    body: new Blob([body]).stream(),
    duplex: "half",
  } as RequestInit);
  expect(chunked.status).toBe(413);
  expect(server.mock.events.size).toBe(0);
});

test("a body that is too large is rejected before it is complete", async () => {
  const server = await started({ assumptions: { maxBodyBytes: 1000 } });
  const headers = { ...authorized(server), "Transfer-Encoding": "chunked", Connection: "close" };
  const chunk = `7d0\r\n${"x".repeat(2000)}\r\n`;
  expect((await exchange(server.url, requestText("POST /v1/events/ingest", headers, chunk))).text).toContain(" 413 ");
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

test("a body that arrives in chunks is read completely", async () => {
  const server = await started();
  const socket = await open(server.url);
  const headers = { ...authorized(server), "content-length": String(EVENT.length), Connection: "close" };
  const arrived = nextRequest("/v1/events/ingest");
  socket.write(requestText("POST /v1/events/ingest", headers) + EVENT.slice(0, 10));
  const answer = read(socket);
  await arrived;
  socket.write(EVENT.slice(10));
  expect((await answer).text).toContain('{"inserted":1,"duplicates":0}');
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

test("latency delays every response of the service", async () => {
  const server = await started({ latency: [300, 320] });
  const begun = performance.now();
  await fetch(`${server.url}/v1/products/`, { headers: authorized(server) });
  expect(performance.now() - begun).toBeGreaterThan(295);
});

test("a latency range is drawn from uniformly", async () => {
  const server = await started({ latency: [0, 400] });
  const random = vi.spyOn(Math, "random").mockReturnValue(0.99);
  onTestFinished(() => random.mockRestore());
  const begun = performance.now();
  await fetch(`${server.url}/v1/products/`, { headers: authorized(server) });
  expect(performance.now() - begun).toBeGreaterThan(390);
});

test("a delayed request ends when its client disconnects", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const server = await started({ latency: 60_000 });
  const socket = await open(server.url);
  const arrived = nextRequest("/v1/products/");
  socket.write(requestText("GET /v1/products/", authorized(server)));
  await arrived;
  expect(vi.getTimerCount()).toBe(1);
  socket.destroy();
  while (vi.getTimerCount() > 0) await new Promise(setImmediate);
  expect(server.mock.requests.count).toBe(0);
});

test("close waits for pending responses and closes idle connections", async () => {
  const server = await started({ latency: 150 });
  const idle = read(await open(server.url));
  const arrived = nextRequest("/v1/products/");
  const answer = fetch(`${server.url}/v1/products/`, { headers: authorized(server) });
  await arrived;
  await server.close({ grace: 600_000 });
  expect((await answer).status).toBe(200);
  expect((await idle).ending).not.toBe("open");
  await expect(fetch(server.url)).rejects.toThrow("fetch failed");
});

test("close does not wait for a response that a fault withholds", async () => {
  const server = await started({ latency: 150 });
  server.mock.fault({ kind: "timeout" });
  const arrived = nextRequest("/v1/products/");
  const held = exchange(server.url, requestText("GET /v1/products/"));
  await arrived;
  await server.close({ grace: 600_000 });
  expect((await held).ending).not.toBe("open");
});

test("a server bound to every interface can be reached by an address of this machine", async () => {
  const { url, port } = await started({ host: "0.0.0.0" });
  expect(url).toBe(`http://127.0.0.1:${port}`);
});

test("close may be called twice", async () => {
  const server = await started();
  await Promise.all([server.close(), server.close()]);
});

test("responds to the HTTP client of Node.js", async () => {
  const server = await started();
  const status = await new Promise((resolve) => {
    request(`${server.url}/v1/products/`, { headers: authorized(server) }, (response) => {
      response.resume();
      resolve(response.statusCode);
    }).end();
  });
  expect(status).toBe(200);
});

test.each([
  [{ port: -1 }, "startServer: `port` must be an integer from 0 to 65535; received -1."],
  [{ port: 70_000 }, "`port` must be"],
  [{ latency: -5 }, "`latency` must be a number of milliseconds"],
  [
    { latency: [9, 3] as const },
    "`latency` must be a number of milliseconds, or [min, max] with min <= max; received ",
  ],
  [
    { control: { password: "" } },
    "startServer: `control.password` must be a non-empty string; received an empty string.",
  ],
  [
    { control: { password: undefined } },
    "`control.password` must be a non-empty string; received undefined (is its environment variable set?).",
  ],
  [{ control: { pasword: "x" } }, 'startServer: control: unknown field "pasword". Did you mean "password"?'],
  [{ control: null }, "startServer: control must be an object; received null."],
  [{ host: "" }, 'startServer: `host` must be a host name or an address; received "".'],
  [{ latency: {} }, "`latency` must be a number of milliseconds"],
  [{ prot: 4010 }, 'startServer: unknown option "prot". Did you mean "port"?'],
])("rejects %o", async (options, message) => {
  await expect(startServer(options as object)).rejects.toThrow(message);
});

test("a port in use rejects with EADDRINUSE", async () => {
  const { port } = await started();
  await expect(startServer({ port })).rejects.toMatchObject({ code: "EADDRINUSE" });
});

test.each([
  ["400", "is not HTTP", "nonsense\r\n\r\n"],
  ["400", "has two lengths", requestText("POST /v1/x", { "content-length": "1", "Content-Length": "2" })],
  ["431", "has headers of 20 kB", requestText("GET /v1/x", { "x-padding": "x".repeat(20_000) })],
  [
    "417",
    "expects something else",
    requestText("POST /v1/x", { Expect: "tea", "content-length": "0", Connection: "close" }),
  ],
])("VER-5: a %s to a request that %s names Current", async (status, _what, bytes) => {
  const { url } = await started();
  const { text } = await exchange(url, bytes);
  expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
  expect(text).toMatch(/\r\nService-Version: 2025-01\r\n/);
});

test("VER-5: a 408 to a request that does not arrive names Current", async () => {
  const { url } = await started({ requestTimeout: 50 });
  const { text } = await exchange(url, "POST /v1/events/ingest HTTP/1.1\r\nHost: x\r\n");
  expect(text).toMatch(/^HTTP\/1.1 408 .*\r\nService-Version: 2025-01\r\n/s);
});
