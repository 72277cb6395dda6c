import { expect, it } from "vitest";
import { createMock, defaultAssumptions, type Mock, type ReadonlyCollection } from "../../mock/index.ts";
import { createClient } from "../../versions/2025-01/index.ts";

/** Creates a mock with records, events, deliveries, faults and requests. */
async function usedMock(): Promise<Mock> {
  const mock = createMock({ now: 0, seed: 1, assumptions: { requiredEventFields: ["name"] } });
  const client = createClient({ accessToken: mock.issueToken(), fetch: mock.fetch });
  mock.products.create({ prices: [{ amount: 5 }] });
  mock.customers.create();
  const input = { url: "https://a.example", format: "raw", events: ["order.paid"] } as const;
  const { id, url } = await client.webhooks.createEndpoint({ ...input, events: [...input.events] });
  await client.webhooks.updateEndpoint(id, { events: ["order.paid", "order.created"] });
  await client.events.ingest([
    { name: "api.call", external_customer_id: "acme", metadata: { pages: 3, steps: [{ model: "small" }] } },
  ]);
  mock.webhooks.receive(url, () => new Response("thanks"));
  mock.webhooks.emit("order.paid", { lines: [{ price: 5 }] });
  await mock.webhooks.idle();
  mock.fault({ operation: "products:list", status: 503 });
  await client.products.list({}).safe();
  return mock;
}

/** Returns the collections of a mock. */
function collections(mock: Mock): Readonly<Record<string, ReadonlyCollection<unknown>>> {
  const { organizations, users, customers, oauthClients, products, webhookEndpoints, events, webhooks } = mock;
  const records = { organizations, users, customers, oauthClients, products, webhookEndpoints, events };
  return { ...records, webhookEvents: webhooks.events, deliveries: webhooks.deliveries };
}

/** Returns everything that can be read from a mock. */
function given(mock: Mock): readonly unknown[] {
  const lists = Object.values(collections(mock)).map((collection) => collection.list());
  const { assumptions, baseUrls, versions, faults, requests } = mock;
  return [lists, assumptions, defaultAssumptions, baseUrls, versions, faults.list(), requests.list(), requests.last()];
}

/** Tries to change every object that can be reached from a value. */
function vandalize(value: unknown, seen = new Set<unknown>()): void {
  if (typeof value !== "object" || value === null || seen.has(value)) return;
  seen.add(value);
  for (const name of Object.keys(value)) {
    vandalize(Reflect.get(value, name), seen);
    Reflect.set(value, name, "vandalized");
    Reflect.deleteProperty(value, name);
  }
  Reflect.set(value, "vandalized", true);
  if (value instanceof Map || value instanceof Set) value.clear();
}

it("changing what a mock returns does not change its state, its assumptions or another mock", async () => {
  const mock = await usedMock();
  const snapshot = mock.snapshot();
  const state = structure(given(mock));
  const fresh = structure(given(createMock({ seed: 1, now: 0 })));
  vandalize(given(mock));
  vandalize(snapshot);
  expect(structure(given(mock))).toEqual(state);
  expect(structure(given(createMock({ seed: 1, now: 0 })))).toEqual(fresh);
  mock.restore(snapshot);
  expect(structure(given(mock))).toEqual(state);
});

const events = ["order.paid", "order.created"] as const;

it.each<[what: string, call: (mock: Mock, same: Mock) => unknown, read: (mock: Mock) => unknown]>([
  ["create", (mock) => mock.webhookEndpoints.create({ events }), (mock) => mock.webhookEndpoints.list()],
  [
    "update",
    (mock) => mock.webhookEndpoints.update(String(mock.webhookEndpoints.list()[0]?.id), { events }),
    (mock) => mock.webhookEndpoints.list(),
  ],
  [
    "emit",
    (mock) => mock.webhooks.emit("order.paid", { lines: [{ price: 5 }] }),
    (mock) => [mock.webhooks.events.list(), mock.webhooks.deliveries.list().map(({ body }) => body)],
  ],
  ["fault", (mock) => mock.fault({ status: 503, headers: { "x-fault": "yes" } }), (mock) => mock.faults.list()],
  // Finds the id in another mock, because reading a list freezes its events.
  ["events.get", (mock, same) => mock.events.get(String(same.events.list()[0]?.id)), (mock) => mock.events.list()],
])("changing the result of %s does not change the state", async (_, call, read) => {
  const [mock, other] = await Promise.all([usedMock(), usedMock()]);
  call(other, other);
  vandalize(call(mock, other));
  for (const each of [mock, other]) await each.webhooks.idle();
  expect(structure(read(mock))).toEqual(structure(read(other)));
});

it("changing what was passed to a mock does not change the mock", async () => {
  const retry = { attempts: 3 };
  const requiredEventFields = ["name"];
  const prices = [{ amount: 5 }];
  const mock = createMock({ assumptions: { retry, requiredEventFields } });
  const product = mock.products.create({ prices });
  const scopes = ["products:read"];
  const client = createClient({ accessToken: mock.issueToken({ scopes }), fetch: mock.fetch });
  for (const value of [retry, requiredEventFields, prices, scopes]) vandalize(value);
  expect(mock.assumptions.retry.attempts).toBe(3);
  expect(mock.assumptions.requiredEventFields).toEqual(["name"]);
  expect(mock.products.get(product.id)?.["prices"]).toEqual([{ amount: 5 }]);
  expect((await client.products.list()).items).toHaveLength(1);
});

/** Returns a copy of a value, including functions. */
function structure(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Reflect.ownKeys(value).map((name) => [name, structure(Reflect.get(value, name))]);
}
