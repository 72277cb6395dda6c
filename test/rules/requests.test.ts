import { describe, expect, it } from "vitest";
import { openAdapter, testedVersion } from "../support/adapter.ts";
import { endpointInput, NOBODY } from "../support/samples.ts";

const NOT_FOUND = { status: 404, body: { detail: "Not Found" } };

describe("an unknown path", () => {
  it.each([
    "/",
    "/v2/products/",
    "/V1/products/",
    "/v1/products",
    "/v1/products//",
    "/v1//products/",
    "/v1/webhooks/endpoints/",
    `/v1/webhooks/endpoints/${NOBODY}/`,
    `/v1/webhooks/endpoints/${NOBODY}/secret`,
    "/v1/webhooks/endpoints/%2e%2e",
    "/v1%2Fproducts%2F",
    "/v1/products/%00",
  ])("G-404, G-SLASH: %s returns 404, also without a credential", async (path) => {
    const { send } = await openAdapter();
    expect(await send(`GET ${path}`, { token: null })).toMatchObject(NOT_FOUND);
    const answer = await send(`GET ${path}`);
    expect(answer).toMatchObject(NOT_FOUND);
    expect(answer.headers.get("service-version")).toBe(testedVersion);
    expect(answer.headers.get("content-type")).toBe("application/json");
  });

  it("G-404: resolves dot segments, as HTTP clients do", async () => {
    const { send } = await openAdapter();
    expect((await send("GET /v1/webhooks/../products/")).status).toBe(200);
    expect((await send("GET /v1/webhooks/endpoints/%2e%2e/%2E%2E/products/")).status).toBe(200);
    expect((await send("GET /../../v1/products/")).status).toBe(200);
  });
});

describe("an unknown method of a path", () => {
  it.each([
    ["GET /v1/events/ingest", "POST"],
    [`DELETE /v1/webhooks/endpoints/${NOBODY}`, "GET, PATCH"],
    ["OPTIONS /v1/products/", "GET"],
    ["PURGE /v1/products/", "GET"],
    ["POST /.well-known/openid-configuration", "GET"],
  ])("G-404: %s returns 405 with Allow: %s", async (line, allow) => {
    const { send } = await openAdapter();
    const { status, body, headers } = await send(line);
    expect({ status, body }).toEqual({ status: 405, body: { detail: "Method Not Allowed" } });
    expect(headers.get("allow")).toBe(allow);
    expect(headers.get("service-version")).toBe(testedVersion);
  });

  it("G-404: HEAD returns 405", async () => {
    const { fetch, baseUrl } = await openAdapter();
    const { status, headers } = await fetch(`${baseUrl}/v1/products/`, { method: "HEAD" });
    expect([status, headers.get("allow")]).toEqual([405, "GET"]);
  });
});

describe("values that could inject", () => {
  it.each(["a\r\nService-Version: 1999-01", "a\nb", "a\u0000b"])(
    "SEC-1: rejects %j in a header before it is sent",
    async (value) => {
      const { mock, client, send } = await openAdapter();
      await expect(send("GET /v1/products/", { headers: { "X-Trace": value } })).rejects.toThrow(TypeError);
      const { error } = await client()
        .products.list({}, { headers: { "X-Trace": value } })
        .safe();
      expect(error).toMatchObject({ name: "InvalidInputError", path: 'headers["X-Trace"]' });
      expect(mock.requests.count).toBe(0);
    },
  );

  it("WHE-1: in fields are returned unchanged, and in no header", async () => {
    const { send } = await openAdapter();
    const name = "a\r\nSet-Cookie: b=c\r\n\r\n<script>alert(1)</script>\u2028\u0000";
    const { body, headers } = await send("POST /v1/webhooks/endpoints", { json: endpointInput({ name }) });
    expect(body).toMatchObject({ name });
    expect(headers.get("set-cookie")).toBeNull();
  });

  it("G-AUT-QUERY: in the query are returned only in the body", async () => {
    const { send } = await openAdapter();
    const { status, body, headers } = await send("GET /v1/oauth2/authorize?client_id=a%0D%0ASet-Cookie:%20b%22");
    expect([status, headers.get("set-cookie")]).toEqual([400, null]);
    expect(body).toMatchObject({ error: "invalid_client" });
  });
});
