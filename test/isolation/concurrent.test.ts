import { afterAll, describe, expect, vi } from "vitest";
import { createTest } from "../../mock/vitest.ts";
import { createClient } from "../../versions/2025-01/index.ts";

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

      const { id } = await client.webhooks.createEndpoint({
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
      expect(mock.webhookEndpoints.list()).toMatchObject([{ id, name }]);
      expect(mock.events.list()).toMatchObject(batch);
      expect(mock.customers.list()).toMatchObject([{ external_id: name }]);
      expect(mock.versions.current).toBe(number % 4 === 0 ? "2025-04" : "2025-01");
      expect(mock.requests.list({ status: 429 })).toHaveLength(number % 4 === 1 ? 1 : 0);
      expect(mock.requests.count).toBe(number % 4 === 1 ? 4 : 3);
      tokens.add(token);
    },
  );

  afterAll(() => expect(tokens.size).toBe(MANY));
});
