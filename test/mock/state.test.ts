import { describe, expect, it } from "vitest";
import { createMock } from "../../mock/index.ts";
import { openAdapter } from "../support/adapter.ts";
import { endpointInput, usage } from "../support/samples.ts";

async function account(options: Parameters<typeof createMock>[0]) {
  const { mock, client, ingest } = await openAdapter(options);
  const created = await client().webhooks.createEndpoint(endpointInput());
  await ingest([usage()]);
  return { accessToken: mock.issueToken(), created, customer: mock.customers.create(), events: mock.events.list() };
}

describe("ids and time", () => {
  it("the same seed and time produce the same ids, secrets, tokens and timestamps", async () => {
    const options = { seed: 7, now: "2025-01-02T03:04:05.678Z" };
    const first = await account(options);
    expect(await account(options)).toEqual(first);
    expect(first.created.created_at).toBe("2025-01-02T03:04:05.678000Z");
    expect(await account({ ...options, seed: 8 })).not.toEqual(first);
    expect((await account({})).created.id).not.toBe((await account({})).created.id);
  });

  it("the time may be a function, which is called for every request", async () => {
    let now = Date.UTC(2025, 0, 1);
    const mock = createMock({ now: () => now });
    const first = mock.webhookEndpoints.create();
    now += 1000;
    expect(mock.webhookEndpoints.update(first.id, { name: "later" }).modified_at).toBe("2025-01-01T00:00:01.000000Z");
    const modified_at = "2024-01-01T00:00:00.000000Z";
    expect(mock.webhookEndpoints.update(first.id, { modified_at })).toMatchObject({ modified_at });
  });
});

it("reset brings back records and ids of the last checkpoint", () => {
  const mock = createMock();
  const kept = mock.customers.create();
  mock.checkpoint();
  const { id } = mock.webhookEndpoints.create();
  for (let times = 0; times < 2; times++) {
    mock.reset();
    expect([mock.customers.list(), mock.webhookEndpoints.create().id]).toEqual([[kept], id]);
  }
});

it("setAssumptions resets the mock", () => {
  const mock = createMock();
  mock.customers.create();
  mock.fault({ status: 500 });
  expect(mock.setAssumptions({ maxBatchSize: 9 })).toMatchObject({ maxBatchSize: 9 });
  expect([mock.customers.size, mock.faults.list()]).toEqual([0, []]);
});
