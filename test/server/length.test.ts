import { expect, test } from "vitest";
import { authorized, EVENT, exchanged, started } from "../support/started-server.ts";
import { CURRENT } from "../support/versions.ts";

const CHUNKED = `${EVENT.length.toString(16)}\r\n${EVENT}\r\n0\r\n\r\n`;
const chunks = { "Transfer-Encoding": "chunked" };
const [ACCEPT, REJECT] = [{}, { bodyWithoutLength: "reject" }] as const;

test.each([
  [ACCEPT, "POST /v1/events/ingest", chunks, CHUNKED, 200],
  [REJECT, "POST /v1/events/ingest", chunks, CHUNKED, 411],
  [REJECT, "POST /v1/events/ingest", {}, "", 411],
  [REJECT, "PATCH /v1/events/ingest", {}, "", 411],
  [REJECT, "DELETE /v1/events/ingest", {}, "", 405],
  [REJECT, "GET /v1/products/", {}, "", 200],
  [{ maxBodyBytes: EVENT.length }, "POST /v1/events/ingest", { "Content-Length": `${EVENT.length}` }, EVENT, 200],
  [{ maxBodyBytes: 1 }, "GET /v1/products/", { "Content-Length": "2" }, "{}", 200],
  [{ maxBodyBytes: 1 }, "HEAD /v1/products/", { "Content-Length": "2" }, "{}", 405],
  [REJECT, "POST /v1/events/ingest", { "Content-Length": `${EVENT.length}` }, EVENT, 200],
])("G-LENGTH: with %j, %s with %j and %s receives %i", async (assumptions, line, length, body, status) => {
  const server = await started({ assumptions });
  const text = await exchanged(server, line, authorized(server, length), body);
  expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} [\\s\\S]*\r\nService-Version: ${CURRENT}\r\n`));
  if (status === 411) {
    expect(text).toContain('{"error":"LengthRequired","detail":"Send the Content-Length header."}');
    expect(server.mock.events.size).toBe(0);
  }
});
