import { once } from "node:events";
import { createServer } from "node:net";
import { Worker } from "node:worker_threads";
import { expect, onTestFinished, test } from "vitest";
import { connectMock } from "../../mock/connect.ts";
import { startServer } from "../../mock/server.ts";
import { serveMock } from "../support/server-door.ts";

test("nobody there, a server that hangs, another server: each has its own error", async () => {
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  await new Promise((resolve) => silent.once("listening", resolve));
  onTestFinished(() => void silent.close());
  const { port } = silent.address() as { readonly port: number };
  const url = `http://127.0.0.1:${port}`;
  expect(() => connectMock(url, { timeout: 200 })).toThrow(`the server at ${url} has not answered for 200 ms`);
  expect(() => connectMock("http://127.0.0.1:1")).toThrow(
    "no mock can be reached at http://127.0.0.1:1 (ECONNREFUSED)",
  );
  expect(() => connectMock("127.0.0.1")).toThrow(TypeError);
  const { url: closed, close } = await serveMock();
  await close();
  expect(() => connectMock(closed)).toThrow("no mock can be reached");
});

test("an answer that breaks off is an error of its call, and the next one is made as ever", async () => {
  const program = `const { parentPort } = require("node:worker_threads");
    const answer = "HTTP/1.1 200 OK\\r\\nContent-Length: 99\\r\\n\\r\\n{";
    const server = require("node:net").createServer((socket) => socket.once("data", () => socket.end(answer)));
    server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));`;
  const worker = new Worker(program, { eval: true });
  onTestFinished(() => void worker.terminate());
  const [port] = await once(worker, "message");
  expect(() => connectMock(`http://127.0.0.1:${port}`)).toThrow(/no mock can be reached at .* \(ECONNRESET\)/);
  const { mock, close } = await serveMock();
  onTestFinished(close);
  expect(mock.users.size).toBe(1);
});

test("a server without its control interface is told from none", async () => {
  const { url, close } = await serveMock({ control: {} });
  await close();
  expect(() => connectMock(url)).toThrow("no mock can be reached");
  await expect(serveMock({ control: false })).rejects.toThrow("there is no control interface at http://127.0.0.1:");
});

test("a server of this very thread is refused at once: it could not answer", async () => {
  const server = await startServer();
  onTestFinished(() => server.close());
  expect(() => connectMock(server.url)).toThrow(/runs in this thread; use the `mock` that startServer gave/);
});
