import { expect, it } from "vitest";
import { strict } from "../../mock/index.ts";
import { openAdapter, testedVersion } from "../support/adapter.ts";

const READ = "GET /v1/products/";
const START = "2025-03-01T00:00:00.000Z";
const TWO_A_MINUTE = { now: START, assumptions: { rateLimit: { requests: 2, windowSeconds: 60 } } };

it("G-RATE, VER-5: beyond the assumption's limit, 429 with an empty body and Retry-After, until the window ends", async () => {
  expect(strict.rateLimit).toEqual({ requests: 500, windowSeconds: 60 });
  const { mock, send } = await openAdapter(TWO_A_MINUTE);
  const sent = { token: mock.issueToken() };
  const statuses = async () => [(await send("GET /v1/nowhere", sent)).status, (await send(READ, sent)).status];
  const retryAfter = async () => {
    const { status, body, headers } = await send(READ, sent);
    expect([status, body, headers.get("service-version")]).toEqual([429, undefined, testedVersion]);
    return headers.get("retry-after");
  };
  expect(await statuses()).toEqual([404, 200]);
  expect(await retryAfter()).toBe("60");
  await mock.clock.advance({ seconds: 59 });
  expect(await retryAfter()).toBe("1");
  await mock.clock.advance({ seconds: 1 });
  expect(await statuses()).toEqual([404, 200]);
  expect(await retryAfter()).toBe("60");
});

it("G-RATE: requests are counted for each credential, and together without a valid token; a reset starts anew", async () => {
  const { mock, send } = await openAdapter(TWO_A_MINUTE);
  const [token, other, revoked] = [mock.issueToken(), mock.issueToken(), mock.issueToken()];
  mock.revokeToken(revoked);
  mock.checkpoint();
  const statuses: number[] = [];
  for (const each of [token, token, token, other, "unknown", revoked, null, other, other]) {
    statuses.push((await send(READ, { token: each })).status);
  }
  expect(statuses).toEqual([200, 200, 429, 200, 401, 401, 429, 200, 429]);
  mock.reset();
  for (const status of [401, 401, 429]) expect((await send(READ, { token: null })).status).toBe(status);
});
