import { describe, expect, it } from "vitest";
import { createClient } from "#current";
import { createMock, type MockOptions } from "../../mock/index.ts";
import { readSnapshot, writeSnapshot } from "../../mock/state/saved-snapshot.ts";

const options: MockOptions = { seed: 3, now: "2025-02-03" };
const batch = [{ name: "api.call", external_customer_id: "acme", external_id: "one" }];

/** Creates a mock as a page does on each load, with its initial state. */
function load(more: MockOptions = {}) {
  const mock = createMock({ ...options, ...more });
  const client = createClient({ accessToken: mock.issueToken(), fetch: mock.fetch });
  return { mock, client, initial: mock.snapshot() };
}

describe("a saved snapshot", () => {
  it("restores records, tokens, duplicates, releases, webhooks, the time and the source of ids", async () => {
    const before = load();
    await before.mock.clock.advance({ days: 1 });
    before.mock.products.create({ name: "Calls", price: { amount: 5, tiers: [1, 2] } });
    before.mock.webhookEndpoints.create({ url: "http://localhost:9/hook" });
    before.mock.webhooks.receive("http://localhost:9/hook", () => new Response());
    await before.client.events.ingest(batch);
    before.mock.webhooks.emit("order.paid", { id: 1 });
    await before.mock.webhooks.idle();
    before.mock.revokeToken(before.mock.issueToken());
    before.mock.release();
    const text = writeSnapshot(before.mock.snapshot(), before.initial);

    const after = load();
    const read = readSnapshot(text, after.initial);
    expect(read).toEqual(before.mock.snapshot());
    after.mock.restore(read!);
    expect(after.mock.clock.now()).toEqual(new Date("2025-02-04"));
    expect(after.mock.customers.create()).toEqual(before.mock.customers.create());
    expect(await after.client.events.ingest(batch)).toEqual({ inserted: 0, duplicates: 1 });
    expect(after.mock.versions).toEqual(before.mock.versions);
    expect(after.mock.webhooks.deliveries.list()).toEqual(before.mock.webhooks.deliveries.list());
    expect(after.mock.release()).toEqual(before.mock.release());
  });

  it("is ignored by a mock with another setup, or if it is something else", () => {
    const { mock, initial } = load();
    const text = writeSnapshot(mock.snapshot(), initial);
    expect(readSnapshot(text, load({ seed: 4 }).initial)).toBeUndefined();
    const [arranged, released] = [load().mock, load().mock];
    arranged.customers.create();
    released.release();
    for (const other of [arranged, released]) expect(readSnapshot(text, other.snapshot())).toBeUndefined();
    for (const saved of [null, "", "null", "{}", "no JSON", '{"initial":[]}']) {
      expect(readSnapshot(saved, initial), String(saved)).toBeUndefined();
    }
  });
});
