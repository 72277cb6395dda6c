import { describe, expect, it } from "vitest";
import { strict } from "../../mock/index.ts";
import { openAdapter, testedVersion } from "../support/adapter.ts";

const READ = "GET /v1/products/";
const TWO_A_MINUTE = { rateLimit: { requests: 2, windowSeconds: 60 } };

describe("the rate of requests", () => {
  it("G-RATE: is 500 requests in 60 seconds with strict", () => {
    expect(strict.rateLimit).toEqual({ requests: 500, windowSeconds: 60 });
  });

  it("G-RATE: returns 429 beyond the limit of the assumption, with an empty body and Retry-After", async () => {
    const { mock, send } = await openAdapter({ assumptions: TWO_A_MINUTE });
    const token = mock.issueToken();
    expect((await send(READ, { token })).status).toBe(200);
    expect((await send("GET /v1/nowhere", { token })).status).toBe(404);
    const { status, body, headers } = await send(READ, { token });
    expect([status, body]).toEqual([429, undefined]);
    expect(headers.get("retry-after")).toMatch(/^([1-9]|[1-5]\d|60)$/);
    expect(headers.get("service-version")).toBe(testedVersion);
  });

  it("G-RATE: is counted separately for each credential", async () => {
    const { mock, send } = await openAdapter({ assumptions: TWO_A_MINUTE });
    const [token, other] = [mock.issueToken(), mock.issueToken()];
    const statuses = async (sent: { token: string | null }) => {
      const answers = [await send(READ, sent), await send(READ, sent), await send(READ, sent)];
      return answers.map(({ status }) => status);
    };
    expect(await statuses({ token })).toEqual([200, 200, 429]);
    expect(await statuses({ token: other })).toEqual([200, 200, 429]);
    expect(await statuses({ token: null })).toEqual([401, 401, 429]);
  });

  it("G-RATE: is counted together for all requests without a valid token", async () => {
    const { mock, send } = await openAdapter({ assumptions: TWO_A_MINUTE });
    const revoked = mock.issueToken();
    mock.revokeToken(revoked);
    const tokens = ["unknown-1", revoked, "unknown-2", null, revoked];
    const statuses: number[] = [];
    for (const token of tokens) statuses.push((await send(READ, { token })).status);
    expect(statuses).toEqual([401, 401, 429, 429, 429]);
    expect((await send(READ, { token: mock.issueToken() })).status).toBe(200);
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
