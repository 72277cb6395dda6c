import { expect, it } from "vitest";
import { openAdapter } from "../support/adapter.ts";
import { type BillingClient, type VersionName, versionNames } from "../support/clients.ts";
import { endpointInput, NOBODY, TIMESTAMP, usage } from "../support/samples.ts";
import { CURRENT, NEXT } from "../support/versions.ts";

/** Makes the calls of a typical program, with a client of any version. */
async function journey(client: BillingClient) {
  const { webhooks, events, oauth2, products } = client;
  const created = await webhooks.createEndpoint(endpointInput({ name: "Orders" }));
  const read = await webhooks.getEndpoint(created.id).withResponse();
  const updated = await webhooks.updateEndpoint(created.id, { events: ["order.paid", "order.refunded"] });
  const batch = ["a", "b", "a"].map((id) => usage({ external_id: `${created.id}-${id}` }));
  const first = await events.ingest(batch).withResponse();
  const again = await events.ingest(batch);
  const screen = await oauth2.authorize({ scope: "webhooks:read" });
  const listed = await products.list({ limit: 1 });
  const rejected = await webhooks.getEndpoint(NOBODY).safe();
  return { created, read, updated, first, again, screen, listed, rejected };
}

/** The expected results of the journey, which are the same in every version. */
function expectJourney({ created, read, ...rest }: Awaited<ReturnType<typeof journey>>, version: VersionName): void {
  expect(created).toMatchObject({ ...endpointInput(), name: "Orders", enabled: true, modified_at: null });
  expect(read.data).toEqual(created);
  expect(rest.updated).toEqual({
    ...created,
    events: ["order.paid", "order.refunded"],
    modified_at: expect.stringMatching(TIMESTAMP),
  });
  expect(rest.first.data).toEqual({ inserted: 2, duplicates: 1 });
  expect(rest.again).toEqual({ inserted: 0, duplicates: 3 });
  expect(rest.screen).toMatchObject({ sub_type: "organization", scopes: ["webhooks:read"] });
  expect(rest.listed).toEqual({ items: [expect.any(Object)], pagination: { total_count: 2, max_page: 2 } });
  expect(rest.rejected).toMatchObject({ ok: false, error: { status: 404, code: "ResourceNotFound", version } });
  expect([read.version, rest.first.version]).toEqual([version, version]);
}

/** Opens an adapter to a mock with two products. */
async function openShop() {
  const adapter = await openAdapter();
  adapter.mock.products.create();
  adapter.mock.products.create();
  return adapter;
}

it("CLI-2, UPG-1: moves to another version by changing only the import, in one program and on one mock", async () => {
  const { mock, client } = await openShop();
  for (const version of versionNames) expectJourney(await journey(client(version)), version);
  expect(mock.webhookEndpoints.size).toBe(3);
  expect(new Set(mock.webhookEndpoints.list().map(({ api_version }) => api_version))).toEqual(new Set([CURRENT]));
});

it.each([CURRENT, NEXT] as const)("LIF-3, LIF-4, UPG-2: works under %s after a release", async (version) => {
  const { mock, client } = await openShop();
  mock.release();
  expectJourney(await journey(client(version)), version);
});
