import { expect, test } from "vitest";
import { run } from "../support/program.ts";
import { firstAnswer, open, read, requestText } from "../support/raw-socket.ts";
import { authorized, EVENT, started } from "../support/started-server.ts";

const INGEST = "POST /v1/events/ingest";
const MEBIBYTE = 1024 * 1024;

/** One-byte chunks of a body. */
const ones = (count: number) => "1\r\nx\r\n".repeat(count);

test.each([
  ["without a token", {}],
  ["with an unknown token", { authorization: "Bearer unknown" }],
])("G-ORDER: a request %s gets 401 before its body arrives", async (_, headers) => {
  const { url } = await started();
  for (const length of [{ "content-length": "1000000" }, { "transfer-encoding": "chunked" }]) {
    const answer = await firstAnswer(url, requestText(INGEST, { ...headers, ...length }));
    expect(answer).toMatch(/^HTTP\/1.1 401 [\s\S]*\{"error":"(Unauthorized|invalid_token)".*\}$/);
  }
});

test("fetch reads the 401 to a body of 9 MiB, with or without Content-Length", async () => {
  const { url } = await started();
  const body = "x".repeat(9 * MEBIBYTE);
  for (const sent of [body, new Blob([body]).stream(), body, EVENT]) {
    const init = { method: "POST", body: sent, duplex: "half" } as RequestInit;
    const response = await fetch(`${url}/v1/events/ingest`, init);
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ error: "Unauthorized" });
  }
});

test.each([
  ["of 10 MiB and more", 10 * MEBIBYTE + 1],
  ["in chunks", undefined],
])("a connection with an unread body %s stays open for the next request", async (_, size) => {
  const { url } = await started();
  const socket = await open(url);
  const answer = read(socket);
  const length = size === undefined ? { "transfer-encoding": "chunked" } : { "content-length": String(size) };
  socket.write(requestText(INGEST, length));
  socket.write(size === undefined ? "4\r\nxxxx\r\n0\r\n\r\n" : Buffer.alloc(size, "x"));
  socket.end(requestText("GET /v1/products/", { connection: "close" }));
  const { text, ending } = await answer;
  const heads = text.match(/HTTP\/1\.1 4[\s\S]*?\r\n\r\n/g) ?? [];
  expect(heads.map((head) => /^connection: close/im.test(head))).toEqual([false, true]);
  expect(ending).toBe("end");
});

test("the password of the control API is checked before the body arrives", async () => {
  const { url } = await started({ control: { password: "secret" } });
  const request = requestText("POST /__mock/organizations", { "content-length": "1000000" });
  expect(await firstAnswer(url, request)).toMatch(/^HTTP\/1.1 401 /);
});

test("a body that is too large gets 413 before it is complete, also in chunks", async () => {
  const server = await started({ assumptions: { maxBodyBytes: 1000 } });
  const chunk = `7d0\r\n${"x".repeat(2000)}\r\n`;
  for (const [length, body] of [
    [{ "content-length": "1001" }, ""],
    [{ "transfer-encoding": "chunked" }, chunk],
  ] as const) {
    const answer = await firstAnswer(server.url, requestText(INGEST, authorized(server, length), body));
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
  }
  expect(server.mock.events.size).toBe(0);
});

test.each([
  ["the service", "/v1/events/ingest", 422],
  ["the control API", "/__mock/organizations", 400],
])("%s takes memory for the bytes of a body, not for its chunks", async (_, path, status) => {
  const { output } = await run(
    `
    import { connect } from "node:net";
    const { startServer } = await import(${JSON.stringify(new URL("../../mock/server.ts", import.meta.url).href)});
    const server = await startServer();
    const socket = connect(server.port, "127.0.0.1");
    socket.on("data", (data) => {
      console.log(String(data).slice(0, 12));
      process.exit();
    });
    socket.write(["POST ${path} HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json",
      "Authorization: Bearer " + server.mock.issueToken(), "Transfer-Encoding: chunked", "", ""].join("\\r\\n"));
    const ones = Buffer.from(${JSON.stringify(ones(10))}.repeat(2_000));
    for (let sent = 0; sent < 50; sent++) if (!socket.write(ones)) await new Promise((done) => socket.once("drain", done));
    socket.end("0\\r\\n\\r\\n");
  `,
    "--max-old-space-size=64",
  );
  // An object for each of the million chunks does not fit into the heap, and ends the process.
  expect(output).toBe(`HTTP/1.1 ${status}\n`);
});
