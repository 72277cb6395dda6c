import { expect, test } from "vitest";
import { authorized, EVENT, exchanged, started } from "../support/started-server.ts";

const CHUNKED = `${EVENT.length.toString(16)}\r\n${EVENT}\r\n0\r\n\r\n`;

test.each([
  [{}, "POST /v1/events/ingest", { "Transfer-Encoding": "chunked" }, CHUNKED, 200],
  [{ maxBodyBytes: EVENT.length }, "POST /v1/events/ingest", { "Content-Length": `${EVENT.length}` }, EVENT, 200],
  [{ maxBodyBytes: 1 }, "GET /v1/products/", { "Content-Length": "2" }, "{}", 200],
  [{ maxBodyBytes: 1 }, "HEAD /v1/products/", { "Content-Length": "2" }, "{}", 405],
])("G-LENGTH, G-BODY-MAX: with %j, %s with %j and %s receives %i", async (assumptions, line, length, body, status) => {
  const server = await started({ assumptions });
  const text = await exchanged(server, line, authorized(server, length), body);
  expect(text).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
});
