import { expect, onTestFinished, test } from "vitest";
import { type FaultKind, type MockServer, startServer } from "../../mock/server.ts";
import { nextRequest } from "../support/next-request.ts";
import { exchange, type Raw, requestText } from "../support/raw-socket.ts";

interface Outcome {
  readonly server: MockServer;
  readonly raw: Raw;
  /** The error of the global fetch. */
  readonly code: string | undefined;
}

/** Applies a fault to two requests: a raw one and one of fetch, which times out soon after the request has arrived. */
async function strike(kind: FaultKind, patience?: number): Promise<Outcome> {
  const server = await startServer();
  onTestFinished(() => server.close());
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

test("reset resets the connection without a byte", async () => {
  const { raw, code } = await strike("reset");
  expect(raw).toEqual({ text: "", ending: "ECONNRESET" });
  expect(code).toBe("ECONNRESET");
});

test("empty-reply closes the connection without a byte", async () => {
  const { raw, code } = await strike("empty-reply");
  expect(raw).toEqual({ text: "", ending: "end" });
  expect(code).toBe("UND_ERR_SOCKET");
});

test("bad-status-line sends bytes that are not HTTP", async () => {
  const { raw, code } = await strike("bad-status-line");
  expect(raw.ending).toBe("end");
  expect(raw.text).not.toMatch(/^HTTP/);
  expect(code).toMatch(/^(HTTPParserError|HPE_.*)$/);
});

test("truncated announces more bytes than it sends", async () => {
  const { raw, code } = await strike("truncated");
  const [head = "", body = ""] = raw.text.split("\r\n\r\n");
  expect(raw.ending).toBe("end");
  expect(head).toMatch(/^HTTP\/1.1 200 OK/);
  const promised = Number(/content-length: (\d+)/i.exec(head)?.[1]);
  expect(body.length).toBeGreaterThan(0);
  expect(body.length).toBeLessThan(promised);
  expect(code).toBe("UND_ERR_SOCKET");
});

test("malformed sends a body that is not JSON", async () => {
  const { raw, code } = await strike("malformed");
  expect(raw.text).toMatch(/^HTTP\/1.1 200 OK/);
  expect(() => JSON.parse(raw.text.split("\r\n\r\n")[1] as string)).toThrow(SyntaxError);
  expect(code).toBeUndefined();
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

test("a lost response is in the journal without a status", async () => {
  const { server } = await strike("reset");
  const [first] = server.mock.requests.list();
  expect(first).toMatchObject({ operation: "products:list", status: null });
  expect(first?.fault).toBe("fault-1");
});

test("other operations are not affected", async () => {
  const { server } = await strike("reset");
  const headers = { authorization: `Bearer ${server.mock.issueToken()}` };
  expect((await fetch(`${server.url}/v1/oauth2/authorize`, { headers })).status).toBeLessThan(500);
});
