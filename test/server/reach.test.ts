import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { connectMock } from "../../mock/connect.ts";
import { startServer } from "../../mock/server.ts";
import { startLocalServer } from "../support/local-server.ts";
import { serveMock } from "../support/serve-mock.ts";

/** The response to every call in the tests, as source code. */
const ANSWER = JSON.stringify(JSON.stringify({ baseUrls: ["https://billing.example"], assumptions: {}, users: 3 }));

/** Starts a server in another thread, which can respond while this thread is blocked. Returns its URL. */
async function inThread(server: string): Promise<string> {
  const program = `const server = ${server};
    const { parentPort } = require("node:worker_threads");
    server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`;
  const worker = new Worker(program, { eval: true });
  onTestFinished(() => void worker.terminate());
  const [port] = await once(worker, "message");
  return `http://127.0.0.1:${port}`;
}

test("an unreachable server, a hanging server and an invalid URL have different errors", async () => {
  const { origin: url } = await startLocalServer(() => {});
  expect(() => connectMock(url, { timeout: 200 })).toThrow(`the server at ${url} did not respond within 200 ms`);
  expect(() => connectMock("http://127.0.0.1:1")).toThrow(
    "cannot reach a mock server at http://127.0.0.1:1 (ECONNREFUSED)",
  );
  expect(() => connectMock("127.0.0.1")).toThrow(TypeError);
  const { url: closed, close } = await serveMock();
  await close();
  expect(() => connectMock(closed)).toThrow("cannot reach a mock server");
});

test("an incomplete response fails its call only", async () => {
  const answer = JSON.stringify("HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{");
  const url = await inThread(
    `require("node:net").createServer((socket) => socket.once("data", () => socket.end(${answer})))`,
  );
  expect(() => connectMock(url)).toThrow(/cannot reach a mock server at .* \(ECONNRESET\)/);
  const { mock, close } = await serveMock();
  onTestFinished(close);
  expect(mock.users.size).toBe(1);
});

test("a late response is not mistaken for the response to the next call", async () => {
  const url = await inThread(`require("node:http").createServer((_, response) => {
    if (server.first) return server.first.end(() => setTimeout(() => response.end(${ANSWER}), 50));
    server.first = response;
    const drip = setInterval(() => response.writableEnded ? clearInterval(drip) : response.write(" "), 10);
  })`);
  expect(() => connectMock(url, { timeout: 1000 })).toThrow("did not respond within 1000 ms");
  expect(connectMock(url).users.size).toBe(3);
});

test("a call is repeated when the server has closed the reused connection", async () => {
  const url = await inThread(`require("node:http").createServer(({ socket }, response) => {
    if (socket.used) socket.destroy();
    else response.end(${ANSWER});
    socket.used = true;
  })`);
  const mock = connectMock(url);
  expect([mock.users.size, mock.users.size]).toEqual([3, 3]);
});

test("another server that requires a password is reported as a server without a control API", async () => {
  const answer = { error: "Unauthorized", detail: "Log in." };
  const url = await inThread(`require("node:http").createServer((_, response) => {
    response.writeHead(401).end(${JSON.stringify(JSON.stringify(answer))});
  })`);
  expect(() => connectMock(url)).toThrow(`no control API at ${url}`);
});

test("a server without its control API and no server have different errors", async () => {
  const { url, close } = await serveMock({ control: {} });
  await close();
  expect(() => connectMock(url)).toThrow("cannot reach a mock server");
  await expect(serveMock({ control: false })).rejects.toThrow("no control API at http://127.0.0.1:");
});

test("a server of the same thread is rejected, because it could not respond", async () => {
  const server = await startServer();
  onTestFinished(() => server.close());
  for (const host of ["127.0.0.1", "127.0.0.2", "localhost", "[::1]"]) {
    expect(() => connectMock(`http://${host}:${server.port}`)).toThrow(
      /runs in this thread; use the `mock` of the server instead/,
    );
  }
  // This address belongs to another machine and does not accept connections.
  expect(() => connectMock(`http://255.255.255.255:${server.port}`)).toThrow("cannot reach a mock server");
  await server.close();
  expect(() => connectMock(server.url)).toThrow("cannot reach a mock server");
});

test.each(["127.0.0.1:4010", "https://127.0.0.1:4010"])("throws for the URL %s, which is not an http: URL", (url) => {
  expect(() => connectMock(url)).toThrow(
    `connectMock: \`url\` must be an http: URL, such as "http://127.0.0.1:4010"; received "${url}".`,
  );
});
