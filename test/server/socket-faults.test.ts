import { expect, test } from "vitest";
import type { FaultKind } from "../../mock/server.ts";
import { run } from "../support/program.ts";
import { exchange, open, read, requestText } from "../support/raw-socket.ts";
import { authorized, started } from "../support/started-server.ts";

/** Sends a request to which a fault applies. */
async function strike(kind: FaultKind, patience?: number) {
  const server = await started();
  server.mock.fault({ kind, operation: "products:list" });
  const request = requestText("GET /v1/products/", authorized(server, { Connection: "close" }));
  return { server, raw: await exchange(server.url, request, patience) };
}

const OK = expect.stringMatching(/^HTTP\/1.1 200 OK\r\n/);

test.each([
  ["reset", { text: "", ending: "ECONNRESET" }],
  ["truncated", { text: OK, ending: "end" }],
] as const)("%s breaks its response, and no other", async (kind, expected) => {
  const { raw, server } = await strike(kind);
  expect(raw).toEqual(expected);
  const [head = "", body = ""] = raw.text.split("\r\n\r\n");
  const isWhole = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) === body.length;
  expect([isWhole, body === ""]).toEqual([kind !== "truncated", !head.startsWith("HTTP/1.1 200")]);
  const status = head.startsWith("HTTP/1.1 200") ? 200 : null;
  expect(server.mock.requests.list()[0]).toMatchObject({ operation: "products:list", status, fault: "fault-1" });
  const headers = authorized(server);
  expect((await fetch(`${server.url}/v1/oauth2/authorize`, { headers })).status).toBe(200);
});

test.each(["reset", "truncated"] as const)("%s also breaks the response to a pipelined request", async (kind) => {
  const server = await started();
  server.mock.fault({ delay: 100, times: 1 });
  server.mock.fault({ kind });
  const { text, ending } = await exchange(server.url, requestText("GET /v1/products/").repeat(2), 2_000);
  expect([text.split("HTTP/1.1 ").length - 1, ending]).toEqual(kind === "reset" ? [1, "ECONNRESET"] : [2, "end"]);
});

test("timeout sends no response", async () => {
  expect((await strike("timeout", 300)).raw).toEqual({ text: "", ending: "open" });
});

test.each([{ kind: "timeout" as const }, { delay: 600_000 }])(
  "%j holds the connection until the mock is reset or the server closes",
  async (fault) => {
    const server = await started();
    for (const end of [() => server.mock.reset(), () => server.close({ grace: "kind" in fault ? 600_000 : 0 })]) {
      server.mock.fault(fault);
      const held = exchange(server.url, requestText("GET /v1/products/"));
      await expect.poll(() => server.mock.faults.list()[0]?.hits).toBe(1);
      await end();
      expect(await held).toEqual({ text: "", ending: expect.not.stringMatching("open") });
    }
  },
);

test("a response that a fault delays is one that close waits for", async () => {
  const server = await started();
  server.mock.fault({ delay: 200 });
  const held = fetch(`${server.url}/v1/products/`);
  await expect.poll(() => server.mock.faults.list()[0]?.hits).toBe(1);
  await server.close();
  expect((await held).status).toBe(401);
});

test("a timeout does not hold a request while the server closes", async () => {
  const server = await started();
  const socket = await open(server.url);
  socket.write("GET /v1/products/ HTTP/1.1\r\nHo");
  await fetch(`${server.url}/v1/nothing`);
  const closed = server.close({ grace: 600_000 });
  server.mock.fault({ kind: "timeout" });
  socket.write("st: 127.0.0.1\r\n\r\n");
  expect(await read(socket)).toEqual({ text: "", ending: expect.not.stringMatching("open") });
  await closed;
});

test("connections that a timeout held do not stay in memory after the client has closed them", async () => {
  const { output, status } = await run(`
    import { once } from "node:events";
    import { connect, Socket } from "node:net";
    import { queryObjects } from "node:v8";
    import { startServer } from "./mock/server.ts";
    const { port, mock, close } = await startServer();
    mock.fault({ kind: "timeout", times: 200 });
    for (let i = 1; i <= 200; i++) {
      const socket = connect(port, "127.0.0.1");
      socket.write("GET /v1/products/ HTTP/1.1\\r\\nHost: 127.0.0.1\\r\\n\\r\\n");
      while (mock.requests.count < i) await new Promise((resolve) => setTimeout(resolve, 1));
      await once(socket.destroy(), "close");
    }
    // Counts after a garbage collection.
    const count = () => queryObjects(Socket, { format: "count" });
    for (let i = 0; i < 10 && count() > 50; i++) await new Promise((resolve) => setTimeout(resolve, 20));
    console.log(count() > 50 ? "kept " + count() : "collected");
    await close({ grace: 0 });
  `);
  expect([output, status]).toEqual([expect.stringMatching(/^collected$/m), 0]);
});
