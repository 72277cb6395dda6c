import { expect, test } from "vitest";
import type { FaultKind, MockServer } from "../../mock/server.ts";
import { nextRequest } from "../support/next-request.ts";
import { run } from "../support/program.ts";
import { exchange, type Raw, requestText } from "../support/raw-socket.ts";
import { authorized, started } from "../support/started-server.ts";

interface Outcome {
  readonly server: MockServer;
  readonly raw: Raw;
  /** The error of the global fetch. */
  readonly code: string | undefined;
}

/** Applies a fault to two requests: a raw one and one of fetch, which times out soon after the request has arrived. */
async function strike(kind: FaultKind, patience?: number): Promise<Outcome> {
  const server = await started();
  const headers = { authorization: `Bearer ${server.mock.issueToken()}` };
  server.mock.fault({ kind, operation: "products:list" });
  const raw = await exchange(
    server.url,
    requestText("GET /v1/products/", { ...headers, Connection: "close" }),
    patience,
  );
  const giveUp = new AbortController();
  if (patience !== undefined) {
    nextRequest("/v1/products/").then(() => setTimeout(() => giveUp.abort(new Error("gave up")), patience));
  }
  const code = await fetch(`${server.url}/v1/products/`, { headers, signal: giveUp.signal }).then(
    (response) => response.text().then(() => undefined, codeOf),
    codeOf,
  );
  return { server, raw, code };
}

function codeOf(error: Error & { readonly cause?: NodeJS.ErrnoException }): string {
  return error.cause?.code ?? error.cause?.name ?? error.message;
}

const OK = expect.stringMatching(/^HTTP\/1.1 200 OK\r\n/);

test.each([
  ["reset", { text: "", ending: "ECONNRESET" }, /^ECONNRESET$/],
  ["empty-reply", { text: "", ending: "end" }, /^UND_ERR_SOCKET$/],
  ["bad-status-line", { text: expect.stringMatching(/^(?!HTTP)./), ending: "end" }, /^(HTTPParserError|HPE_.*)$/],
  ["truncated", { text: OK, ending: "end" }, /^UND_ERR_SOCKET$/],
  ["malformed", { text: OK, ending: "end" }, /^undefined$/],
] as const)("%s breaks its response, and no other", async (kind, expected, failure) => {
  const { raw, code, server } = await strike(kind);
  expect(raw).toEqual(expected);
  expect(String(code)).toMatch(failure);
  const [head = "", body = ""] = raw.text.split("\r\n\r\n");
  const isWhole = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0) === body.length;
  expect([isWhole, body === ""]).toEqual([kind !== "truncated", !head.startsWith("HTTP/1.1 200")]);
  if (kind === "malformed") expect(() => JSON.parse(body)).toThrow(SyntaxError);
  const status = head.startsWith("HTTP/1.1 200") ? 200 : null;
  expect(server.mock.requests.list()[0]).toMatchObject({ operation: "products:list", status, fault: "fault-1" });
  const headers = authorized(server);
  expect((await fetch(`${server.url}/v1/oauth2/authorize`, { headers })).status).toBe(200);
});

test("timeout holds the connection until the server closes", async () => {
  const { server, raw, code } = await strike("timeout", 300);
  expect(raw).toEqual({ text: "", ending: "open" });
  expect(code).toBe("gave up");
  const held = exchange(server.url, requestText("GET /v1/products/"));
  await expect.poll(() => server.mock.requests.count).toBe(3);
  await server.close({ grace: 600_000 });
  expect((await held).ending).not.toBe("open");
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
