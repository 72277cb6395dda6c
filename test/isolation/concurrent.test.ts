import { afterAll, describe, expect, it, vi } from "vitest";
import { createMock } from "../../mock/index.ts";
import { createTest } from "../../mock/vitest.ts";
import { createClient, isApiError } from "../../versions/2025-01/index.ts";

const MANY = 200;
vi.setConfig({ maxConcurrency: MANY });

/** Makes all callers wait for the last one. */
function meetingOf(count: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let missing = count;
  return () => {
    missing -= 1;
    if (missing === 0) resolve();
    return promise;
  };
}

describe(`${MANY} tests at the same time, each with its own mock`, () => {
  const test = createTest({ createClient });
  const meet = { arranged: meetingOf(MANY), acted: meetingOf(MANY) };
  const tokens = new Set<string>();

  test.concurrent.for(Array.from({ length: MANY }, (_, number) => number))(
    "do not share state: %i",
    async (number, { client, mock, expect }) => {
      const name = `test ${number}`;
      const token = mock.issueToken();
      mock.customers.create({ external_id: name });
      if (number % 4 === 0) mock.release();
      if (number % 4 === 1) mock.fault({ operation: "events:ingest", status: 429, times: 1, retryAfter: 0 });
      await meet.arranged();

      const endpoint = await client.webhooks.createEndpoint({
        url: "https://a.example",
        name,
        format: "raw",
        events: [],
      });
      const batch = Array.from({ length: 1 + (number % 3) }, (_, each) => ({
        name,
        external_customer_id: name,
        external_id: `${each}`,
      }));
      expect(await client.events.ingest(batch)).toEqual({ inserted: batch.length, duplicates: 0 });
      await meet.acted();

      expect(await client.events.ingest(batch)).toEqual({ inserted: 0, duplicates: batch.length });
      expect(mock.webhookEndpoints.list().map(({ id, name }) => ({ id, name }))).toEqual([{ id: endpoint.id, name }]);
      expect(new Set(mock.events.list().map((event) => event.name))).toEqual(new Set([name]));
      expect(mock.customers.list().map(({ external_id }) => external_id)).toEqual([name]);
      expect(mock.versions.current).toBe(number % 4 === 0 ? "2025-04" : "2025-01");
      expect(mock.requests.list({ status: 429 })).toHaveLength(number % 4 === 1 ? 1 : 0);
      expect(mock.requests.count).toBe(number % 4 === 1 ? 4 : 3);
      tokens.add(token);
    },
  );

  afterAll(() => expect(tokens.size).toBe(MANY));
});

describe("several mocks in one process", () => {
  it("do not share tokens or records", async () => {
    const [first, second] = [createMock(), createMock()];
    const endpoint = first.webhookEndpoints.create();
    const client = createClient({ accessToken: first.issueToken(), fetch: second.fetch });
    const rejected = await client.webhooks.getEndpoint(endpoint.id).safe();
    expect(!rejected.ok && isApiError(rejected.error) && rejected.error.status).toBe(401);
    const known = createClient({ accessToken: second.issueToken(), fetch: second.fetch });
    const missing = await known.webhooks.getEndpoint(endpoint.id).safe();
    expect(!missing.ok && isApiError(missing.error) && missing.error.status).toBe(404);
  });

  it("have separate releases, faults, assumptions, journals and limits", async () => {
    const strict = createMock({ assumptions: { rateLimit: { requests: 1, windowSeconds: 60 } } });
    const free = createMock();
    const calls = (mock: typeof free) => {
      const client = createClient({ accessToken: mock.issueToken(), fetch: mock.fetch, maxRetries: 0 });
      return Promise.all([client.products.list().safe(), client.products.list().safe()]);
    };
    strict.release();
    strict.fault({ operation: "webhooks:get_webhook_endpoint", status: 500 });
    expect((await calls(strict)).map(({ ok }) => ok)).toEqual([true, false]);
    expect((await calls(free)).map(({ ok }) => ok)).toEqual([true, true]);
    expect([strict.versions.current, free.versions.current]).toEqual(["2025-04", "2025-01"]);
    expect([strict.faults.list().length, free.faults.list().length]).toEqual([1, 0]);
    expect([strict.requests.list({ status: 429 }).length, free.requests.list({ status: 429 }).length]).toEqual([1, 0]);
  });

  it("with the same seed produce the same ids, but do not share state", async () => {
    const [first, second] = [createMock({ seed: 5 }), createMock({ seed: 5 })];
    expect(first.customers.create().id).toBe(second.customers.create().id);
    first.reset();
    expect([first.customers.size, second.customers.size]).toEqual([0, 1]);
  });
});
