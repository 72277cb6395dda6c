import { expect, test } from "vitest";
import { exchange, requestText } from "../support/raw-socket.ts";
import { authorized, EVENT, started } from "../support/started-server.ts";

const CHUNKED = `${EVENT.length.toString(16)}\r\n${EVENT}\r\n0\r\n\r\n`;
const chunked = { "Transfer-Encoding": "chunked", Connection: "close" };
const rejecting = { assumptions: { bodyWithoutLength: "reject" } } as const;

test("G-LENGTH: by default, a POST without Content-Length is accepted", async () => {
  const server = await started();
  const { text } = await exchange(
    server.url,
    requestText("POST /v1/events/ingest", authorized(server, chunked), CHUNKED),
  );
  expect(text).toMatch(/^HTTP\/1.1 200 /);
});

test("G-LENGTH: reject returns 411 for a POST without Content-Length, with or without a body", async () => {
  const server = await started(rejecting);
  const withBody = requestText("POST /v1/events/ingest", authorized(server, chunked), CHUNKED);
  const without = requestText("POST /v1/events/ingest", authorized(server, { Connection: "close" }));
  for (const request of [withBody, without]) {
    const { text } = await exchange(server.url, request);
    expect(text).toMatch(/^HTTP\/1.1 411 Length Required\r\n/);
    expect(text).toContain("Service-Version: 2025-01");
    expect(text).toContain('{"error":"LengthRequired","detail":"Send the Content-Length header."}');
  }
  expect(server.mock.events.size).toBe(0);
});

test.each([
  ["PUT /v1/events/ingest", {}, "", 411],
  ["PATCH /v1/events/ingest", {}, "", 411],
  ["DELETE /v1/events/ingest", {}, "", 405],
  ["GET /v1/products/", {}, "", 200],
  ["POST /v1/events/ingest", { "Content-Length": `${EVENT.length}` }, EVENT, 200],
])("G-LENGTH: reject responds to %s with %j and %s with %i", async (line, length, body, status) => {
  const server = await started(rejecting);
  const headers = authorized(server, { ...length, Connection: "close" });
  const { text } = await exchange(server.url, requestText(line, headers, body));
  expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});
