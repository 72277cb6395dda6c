import { describe, expect, it } from "vitest";
import { strict } from "../../mock/index.ts";
import { openAdapter, testedVersion } from "../support/adapter.ts";

const READ = "GET /v1/products/";
const TWO_A_MINUTE = { rateLimit: { requests: 2, windowSeconds: 60 } };

describe("the rate of requests", () => {
  it("G-RATE: is 500 requests in 60 seconds with strict; returns 429 beyond the limit of the assumption, with an empty body and Retry-After", async () => {
    expect(strict.rateLimit).toEqual({ requests: 500, windowSeconds: 60 });
    const { mock, send } = await openAdapter({ assumptions: TWO_A_MINUTE });
    const token = mock.issueToken();
    expect((await send(READ, { token })).status).toBe(200);
    expect((await send("GET /v1/nowhere", { token })).status).toBe(404);
    const { status, body, headers } = await send(READ, { token });
    expect([status, body]).toEqual([429, undefined]);
    expect(headers.get("retry-after")).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect(headers.get("service-version")).toBe(testedVersion);
  });

  it("G-RATE: is counted for each credential, and together for all requests without a valid token", async () => {
    const { mock, send } = await openAdapter({ assumptions: TWO_A_MINUTE });
    const [token, other, revoked] = [mock.issueToken(), mock.issueToken(), mock.issueToken()];
    mock.revokeToken(revoked);
    const statuses: number[] = [];
    for (const each of [token, token, token, other, "unknown", revoked, null, other, other]) {
      statuses.push((await send(READ, { token: each })).status);
    }
    expect(statuses).toEqual([200, 200, 429, 200, 401, 401, 429, 200, 429]);
  });

  it("G-RATE: reaches the client as a RateLimitError with the time to wait", async () => {
    const { client } = await openAdapter({ assumptions: { rateLimit: { requests: 0, windowSeconds: 30 } } });
    const { error } = await client().products.list().safe();
    expect(error).toMatchObject({ name: "RateLimitError", status: 429, retryAfter: expect.any(Number) });
  });

  it.each(["reset", "restore"] as const)("G-RATE: starts anew with %s", async (method) => {
    const { mock, send } = await openAdapter({ assumptions: TWO_A_MINUTE });
    const snapshot = mock.snapshot();
    for (const status of [401, 401, 429]) expect((await send(READ, { token: null })).status).toBe(status);
    mock[method](snapshot);
    expect((await send(READ, { token: null })).status).toBe(401);
  });
});
