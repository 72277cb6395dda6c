import { describe, expect, it } from "vitest";
import { strict } from "../../mock/index.ts";
import { openAdapter } from "../support/adapter.ts";
import { usage } from "../support/samples.ts";

const READ = "GET /v1/products/";
const START = Date.UTC(2025, 0, 1);

/** A clock that a test sets. */
function clock() {
  let time = START;
  const now = () => time;
  const pass = (seconds: number) => {
    time += seconds * 1000;
  };
  return { now, pass };
}

describe("over time", () => {
  it("G-RATE: requests are accepted again after the window, and Retry-After counts down to its end", async () => {
    const { now, pass } = clock();
    const { mock, send } = await openAdapter({ now, assumptions: { rateLimit: { requests: 1, windowSeconds: 60 } } });
    const token = mock.issueToken();
    const wait = async () => {
      const { status, headers } = await send(READ, { token });
      return status === 429 ? headers.get("retry-after") : status;
    };
    expect([await wait(), await wait()]).toEqual([200, "60"]);
    pass(29.5);
    expect(await wait()).toBe("31");
    pass(30.4);
    expect(await wait()).toBe("1");
    pass(0.1);
    expect([await wait(), await wait()]).toEqual([200, "60"]);
  });

  it("G-RATE: a strict mock accepts 500 requests per minute", async () => {
    const { now } = clock();
    const { mock, send } = await openAdapter({ now, assumptions: { rateLimit: strict.rateLimit } });
    const token = mock.issueToken();
    const answers = await Promise.all(Array.from({ length: 500 }, () => send(READ, { token })));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const { status, headers } = await send(READ, { token });
    expect([status, headers.get("retry-after")]).toEqual([429, "60"]);
  });

  it("G-401-BAD: a token is valid until it expires", async () => {
    const { now, pass } = clock();
    const { mock, send } = await openAdapter({ now });
    const token = mock.issueToken({ expiresIn: 3600 });
    pass(3599.999);
    expect((await send(READ, { token })).status).toBe(200);
    pass(0.001);
    expect(await send(READ, { token })).toMatchObject({ status: 401, body: { error: "invalid_token" } });
  });

  it("WHE-2, WHE-8: modified_at is the time of the last update", async () => {
    const { now, pass } = clock();
    const { mock, client } = await openAdapter({ now });
    const { id } = mock.webhookEndpoints.create();
    pass(1.5);
    const { webhooks } = client();
    await webhooks.updateEndpoint(id, { name: "one" });
    pass(3600);
    await webhooks.updateEndpoint(id, {});
    pass(1);
    const { created_at, modified_at } = await webhooks.getEndpoint(id);
    expect(created_at).toBe("2025-01-01T00:00:00.000000Z");
    expect(modified_at).toBe("2025-01-01T01:00:01.500000Z");
  });

  it("G-EVT-TIME: an event in the future is accepted once its time has come", async () => {
    const { now, pass } = clock();
    const { client } = await openAdapter({ now, assumptions: { futureEvents: "reject" } });
    const { events } = client();
    const batch = [usage({ timestamp: "2025-01-01T00:01:00Z" })];
    expect((await events.ingest(batch).safe()).error).toMatchObject({ status: 422 });
    pass(60);
    expect(await events.ingest(batch)).toEqual({ inserted: 1, duplicates: 0 });
  });
});
