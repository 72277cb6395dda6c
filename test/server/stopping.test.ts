import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { connectMock } from "../../mock/connect.ts";
import { GRACE } from "../../mock/server/serve.ts";
import { fileWith, readyProcess } from "../support/command.ts";
import { startLocalServer } from "../support/local-server.ts";
import { nextRequest } from "../support/next-request.ts";
import { open, read, requestText } from "../support/raw-socket.ts";
import { authorized, EVENT, started } from "../support/started-server.ts";

const HALF_HEADERS = "POST /v1/events/ingest HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Le";

/** Opens a connection, sends one complete request and half of the headers of another. */
async function halfSent(url: string) {
  const socket = await open(url);
  socket.write(`${requestText("GET /v1/nothing")}${HALF_HEADERS}`);
  await once(socket, "data");
  return socket;
}

test("SIGTERM stops the command after --grace, without a response that would be ready within the default", async () => {
  const { url, tokens, process, ended } = await readyProcess(["--grace", "50"]);
  await connectMock(url).fault({ delay: GRACE / 2 });
  const socket = await open(url);
  socket.write(requestText("GET /v1/products/", { authorization: `Bearer ${tokens.oat}` }));
  // The server has received the first request when it responds to another one.
  await fetch(`${url}/__mock`);
  const answer = read(socket);
  process.kill("SIGTERM");
  expect(await answer).toMatchObject({ text: "", ending: expect.not.stringMatching("open") });
  expect(await ended).toMatchObject({ stderr: "", code: 0 });
});

test("SIGTERM does not wait for the response to a delivery", async () => {
  const requests: unknown[] = [];
  const receiver = await startLocalServer((request) => requests.push(request));
  // Waiting for the response would take longer than the test may.
  const assumptions = fileWith(JSON.stringify({ retry: { timeout: 600_000 } }));
  const { url, process, ended } = await readyProcess(["--assumptions", assumptions]);
  const mock = connectMock(url);
  await mock.webhookEndpoints.create({ url: receiver.origin, events: ["order.paid"] });
  await mock.webhooks.emit("order.paid", {});
  await expect.poll(() => requests.length).toBe(1);
  process.kill("SIGTERM");
  expect(await ended).toMatchObject({ stderr: "", code: 0 });
});

test("the grace time is real time, also under fake timers", async () => {
  vi.useFakeTimers();
  const server = await started();
  await halfSent(server.url);
  await server.close({ grace: 50 });
});

test("a second close waits for the first", async () => {
  const server = await started();
  const answer = read(await halfSent(server.url));
  await Promise.all([server.close({ grace: 50 }), server.close()]);
  expect((await answer).ending).not.toBe("open");
});

test.each([
  ["half the headers", HALF_HEADERS],
  ["half the body", EVENT.slice(0, 10)],
])("VER-5: a client that sent %s gets 408, which names Current, and is disconnected", async (_, part) => {
  const server = await started({ requestTimeout: 100 });
  const socket = await open(server.url);
  const headers = authorized(server, { "content-length": String(EVENT.length) });
  socket.write(part === HALF_HEADERS ? part : requestText("POST /v1/events/ingest", headers, part));
  const { text, ending } = await read(socket);
  expect(text).toMatch(/^HTTP\/1.1 408 .*\r\nService-Version: \S+\r\n/s);
  expect(ending).toBe("end");
  expect(server.mock.events.size).toBe(0);
});

test.each([
  ["sixty seconds by default", {}, 60_000],
  ["any time if the timeout is 0, which is not checked more often", { requestTimeout: 0 }, 0],
])("headers and bodies may take %s", async (_, options, requestTimeout) => {
  const { url } = await started(options);
  const received = nextRequest("/v1/nothing");
  await fetch(`${url}/v1/nothing`);
  const expected = { headersTimeout: requestTimeout, requestTimeout, connectionsCheckingInterval: 30_000 };
  expect(await received).toMatchObject(expected);
});
