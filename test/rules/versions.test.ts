import { describe, expect, it } from "vitest";
import { openAdapter, testedVersion } from "../support/adapter.ts";
import { endpointInput, usage } from "../support/samples.ts";

const READ = "GET /v1/products/";

describe("the header Service-Version", () => {
  it.each([
    ["a success", "POST /v1/events/ingest", { json: { events: [usage()] } }, 200],
    ["a creation", "POST /v1/webhooks/endpoints", { json: endpointInput() }, 201],
    ["a bad token", READ, { token: "unknown" }, 401],
    ["another method", "DELETE /v1/products/", {}, 405],
    ["a bad body", "POST /v1/events/ingest", { json: {} }, 422],
    ["a lookup of OpenID Connect", "GET /.well-known/openid-configuration", {}, 200],
    ["a rejected authorization", "GET /v1/oauth2/authorize?client_id=nobody", {}, 400],
  ])("VER-5: is on the response to %s", async (_what, line, sent, status) => {
    const { send } = await openAdapter();
    const answer = await send(line, sent);
    expect([answer.status, answer.headers.get("service-version")]).toEqual([status, testedVersion]);
  });

  it("VER-5: is on the response to a body that is too large and to a request over the rate limit", async () => {
    const small = await openAdapter({ assumptions: { maxBodyBytes: 10 } });
    const tooLarge = await small.send("POST /v1/events/ingest", { version: "2025-04", json: { events: [usage()] } });
    expect([tooLarge.status, tooLarge.headers.get("service-version")]).toEqual([413, "2025-04"]);
    await small.close();
    const slow = await openAdapter({ assumptions: { rateLimit: { requests: 0, windowSeconds: 1 } } });
    const tooMany = await slow.send(READ, { version: "2025-04" });
    expect([tooMany.status, tooMany.headers.get("service-version")]).toEqual([429, "2025-04"]);
  });
});

describe("an unsupported version", () => {
  const odd = [
    "",
    "2025-1",
    "2025-13",
    "2025-01-01",
    "v2025-01",
    "latest",
    "*",
    "__proto__",
    "2025-01;",
    "2024-07",
    "2025-07",
  ];

  it.each(odd)("VER-1, VER-5, ERR-3, G-404-VER: returns 404 for %j, as Current", async (version) => {
    const { send } = await openAdapter();
    const { status, body, headers } = await send(READ, { version });
    expect({ status, body }).toEqual({ status: 404, body: { detail: "Not Found" } });
    expect(headers.get("service-version")).toBe("2025-01");
    expect(headers.get("content-type")).toBe("application/json");
  });

  it("ERR-3, G-REPEAT: returns 404 for two versions, also if both are the same", async () => {
    const { fetch, baseUrl, mock } = await openAdapter();
    const headers = new Headers({ Authorization: `Bearer ${mock.issueToken()}`, "Service-Version": "2025-01" });
    headers.append("Service-Version", "2025-01");
    expect((await fetch(`${baseUrl}/v1/products/`, { headers })).status).toBe(404);
  });

  it.each([
    ["any path", "GET /v1/nowhere", {}],
    ["any method", "DELETE /v1/products/", {}],
    ["a request with a bad token", READ, { token: "unknown" }],
    ["a rejected body", "POST /v1/events/ingest", { body: "not JSON" }],
    ["the discovery document", "GET /.well-known/openid-configuration", {}],
  ])("ERR-3, G-404-VER: returns 404 before any other check, on %s", async (_what, line, sent) => {
    const { send } = await openAdapter();
    const answer = await send(line, { ...sent, version: "2020-01" });
    expect(answer).toMatchObject({ status: 404, body: { detail: "Not Found" } });
    expect(answer.headers.get("service-version")).toBe("2025-01");
  });

  it("ERR-3, G-404-VER: is an ApiError that names the version", async () => {
    const { mock, client } = await openAdapter();
    for (let releases = 0; releases < 3; releases++) mock.release();
    const { error } = await client().products.list().safe();
    expect(error).toMatchObject({ name: "ApiError", status: 404, version: mock.versions.current });
    expect(error?.message).toContain(`version ${testedVersion}`);
  });
});

describe("the versions of the package", () => {
  it("G-WHERE: are 2024-10 Deprecated, 2025-01 Current and 2025-04 Next", async () => {
    const { mock } = await openAdapter();
    expect(mock.versions).toEqual({ deprecated: "2024-10", current: "2025-01", next: "2025-04" });
  });
});
