import { expect, it } from "vitest";
import { createClient } from "#current";
import {
  createMock,
  defaultAssumptions,
  type Mock,
  type ReadonlyCollection,
  type ScopeName,
} from "../../mock/index.ts";

/** Creates a mock with records, events, deliveries, faults and requests, and passes on the results of its methods. */
async function usedMock(take: (result: unknown) => void = () => {}): Promise<Mock> {
  const mock = createMock({ now: 0, seed: 1, assumptions: { requiredEventFields: ["name"] } });
  const client = createClient({ accessToken: mock.issueToken(), fetch: mock.fetch });
  take(mock.products.create({ prices: [{ amount: 5 }] }));
  take(mock.customers.create());
  const input = { url: "https://a.example", format: "raw", events: ["order.paid"] } as const;
  const { id, url } = await client.webhooks.createEndpoint({ ...input, events: [...input.events] });
  take(mock.webhookEndpoints.update(id, { events: ["order.paid", "order.created"] }));
  await client.events.ingest([
    { name: "api.call", external_customer_id: "acme", metadata: { pages: 3, steps: [{ model: "small" }] } },
  ]);
  mock.webhooks.receive(url, () => new Response("thanks"));
  take(mock.webhooks.emit("order.paid", { lines: [{ price: 5 }] }));
  take(mock.fault({ operation: "products:list", status: 503, headers: { "x-fault": "yes" } }));
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
  const [mock, other] = [await usedMock(vandalize), await usedMock()];
  // Finds the id in another mock, because reading a list freezes its events.
  vandalize(mock.events.get(String(other.events.list()[0]?.id)));
  for (const each of [mock, other]) await each.webhooks.idle();
  const state = structure(given(other));
  expect(structure(given(mock))).toEqual(state);
  const fresh = structure(given(createMock({ seed: 1, now: 0 })));
  vandalize(given(mock));
  expect(structure(given(mock))).toEqual(state);
  expect(structure(given(createMock({ seed: 1, now: 0 })))).toEqual(fresh);
});

it("changing what was passed to a mock does not change the mock", async () => {
  const retry = { attempts: 3 };
  const requiredEventFields = ["name"];
  const prices = [{ amount: 5 }];
  const mock = createMock({ assumptions: { retry, requiredEventFields } });
  const product = mock.products.create({ prices });
  const scopes: ScopeName[] = ["products:read"];
  const client = createClient({ accessToken: mock.issueToken({ scopes }), fetch: mock.fetch });
  for (const value of [retry, requiredEventFields, prices, scopes]) vandalize(value);
  expect(mock.assumptions.retry.attempts).toBe(3);
  expect(mock.assumptions.requiredEventFields).toEqual(["name"]);
  expect(mock.products.get(product.id)?.["prices"]).toEqual([{ amount: 5 }]);
  expect((await client.products.list()).items).toHaveLength(1);
});

/** Returns a copy of a value, including functions, without the durations of requests. */
function structure(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  const names = Reflect.ownKeys(value).filter((name) => name !== "duration");
  return names.map((name) => [name, structure(Reflect.get(value, name))]);
}
