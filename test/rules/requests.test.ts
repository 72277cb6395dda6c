import { expect, it } from "vitest";
import { openAdapter, testedVersion } from "../support/adapter.ts";
import { NOBODY } from "../support/samples.ts";

const ENDPOINTS = "/v1/webhooks/endpoints/";

it.each([
  ["GET /v1/events/ingest", "POST"],
  [`DELETE ${ENDPOINTS}${NOBODY}`, "GET, PATCH"],
  ["OPTIONS /v1/products/", "GET"],
  ["PURGE /v1/products/", "GET"],
  ["HEAD /v1/products/", "GET"],
  ["POST /.well-known/openid-configuration", "GET"],
])("G-404: the unknown method of %s returns 405 with Allow: %s", async (line, allow) => {
  const { send } = await openAdapter();
  const { status, body, headers } = await send(line);
  expect(status).toBe(405);
  expect(body).toEqual(line.startsWith("HEAD") ? undefined : { detail: "Method Not Allowed" });
  expect([headers.get("allow"), headers.get("service-version")]).toEqual([allow, testedVersion]);
});
