import { expect, it } from "vitest";
import { openAdapter, testedVersion } from "../support/adapter.ts";
import { NOBODY } from "../support/samples.ts";

const ENDPOINTS = "/v1/webhooks/endpoints/";

it.each([
  "/",
  "/V1/products/",
  "/v1/products",
  "/v1//products/",
  ENDPOINTS,
  `${ENDPOINTS}${NOBODY}/`,
  `${ENDPOINTS}${NOBODY}/secret`,
  `${ENDPOINTS}%2e%2e`,
  "/v1%2Fproducts%2F",
  "/v1/products/%00",
])("G-404, G-SLASH: the unknown path %s returns 404, also without a credential", async (path) => {
  const { send } = await openAdapter();
  for (const sent of [{}, { token: null }]) {
    const { status, body, headers } = await send(`GET ${path}`, sent);
    expect({ status, body }).toEqual({ status: 404, body: { detail: "Not Found" } });
    expect([headers.get("service-version"), headers.get("content-type")]).toEqual([testedVersion, "application/json"]);
  }
});

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
