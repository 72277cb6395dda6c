import { describe, vi } from "vitest";
import { createTest } from "../../mock/vitest.ts";
import { createClient } from "../../versions/2025-01/index.ts";
import { endpointInput } from "../support/samples.ts";

const MANY = 50;
vi.setConfig({ maxConcurrency: MANY });

describe(`${MANY} tests at the same time, each with its own mock`, () => {
  const test = createTest({ createClient });
  const numbers = Array.from({ length: MANY }, (_, number) => number);
  const tokens = new Set<string>();
  const { promise: allStarted, resolve } = Promise.withResolvers<void>();

  test.concurrent.for(numbers)("do not share state: %i", async (number, { client, mock, expect }) => {
    const [name, isReleased, isFailing] = [`test ${number}`, number % 4 === 0, number % 4 === 1];
    mock.customers.create({ external_id: name });
    if (isReleased) mock.release();
    if (isFailing) mock.fault({ operation: "events:ingest", status: 429, times: 1, retryAfter: 0 });
    if (tokens.add(mock.issueToken()).size === MANY) resolve();
    await allStarted;
    const { id } = await client.webhooks.createEndpoint(endpointInput({ name }));
    const batch = [{ name, external_customer_id: name, external_id: "1" }];
    expect(await client.events.ingest(batch)).toEqual({ inserted: 1, duplicates: 0 });
    expect(await client.events.ingest(batch)).toEqual({ inserted: 0, duplicates: 1 });
    expect(mock.webhookEndpoints.list()).toMatchObject([{ id, name }]);
    expect(mock.events.list()).toMatchObject(batch);
    expect(mock.customers.list()).toMatchObject([{ external_id: name }]);
    expect(mock.versions.current).toBe(isReleased ? "2025-04" : "2025-01");
    expect(mock.requests.list({ status: 429 })).toHaveLength(isFailing ? 1 : 0);
    expect(mock.requests.count).toBe(isFailing ? 4 : 3);
  });
});
