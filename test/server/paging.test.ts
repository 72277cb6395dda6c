import { expect, test } from "vitest";
import { connectMock } from "../../mock/connect.ts";
import { authorized, started } from "../support/started-server.ts";

const NEXT = /^<([^>]+)>; rel="next"$/;

/** Returns the items of all pages, and the number of pages. */
async function pages(url: string, path: string): Promise<{ items: { readonly id: unknown }[]; sizes: number[] }> {
  const items: { readonly id: unknown }[] = [];
  const sizes: number[] = [];
  for (let next: string | undefined = `/__mock${path}`; next !== undefined; ) {
    const response: Response = await fetch(url + next);
    const page = (await response.json()) as { readonly id: unknown }[];
    items.push(...page);
    sizes.push(page.length);
    next = NEXT.exec(response.headers.get("link") ?? "")?.[1];
  }
  return { items, sizes };
}

async function withEvents(count: number) {
  const server = await started();
  const events = Array.from({ length: count }, (_, index) => ({ name: `event ${index}`, external_customer_id: "c1" }));
  const body = JSON.stringify({ events });
  await fetch(`${server.url}/v1/events/ingest`, { method: "POST", headers: authorized(server), body });
  return server;
}

test("a list has pages, each with the URL of the next one in Link", async () => {
  const { url, mock } = await withEvents(25);
  const { items, sizes } = await pages(url, "/events?limit=10");
  expect(sizes).toEqual([10, 10, 5]);
  expect(items).toEqual(mock.events.list());
});

test("without limit a page has a thousand items, and the last page has no Link", async () => {
  const { url } = await withEvents(2_000);
  expect((await pages(url, "/events")).sizes).toEqual([1_000, 1_000]);
});

test("every list is paged", async () => {
  const { url, mock } = await started();
  for (const _ of [1, 2, 3]) {
    mock.organizations.create();
    mock.users.create();
    mock.customers.create();
    mock.oauthClients.create();
    mock.products.create();
    mock.webhookEndpoints.create();
    await fetch(`${url}/v1/nothing`);
  }
  mock.webhooks.emit("order.paid", {});
  await mock.webhooks.idle();
  const lists = { organizations: 4, users: 4, customers: 3, "oauth-clients": 4, products: 3, "webhook-endpoints": 3 };
  const all = { ...lists, "webhooks/events": 3, "webhooks/deliveries": 3, requests: 3 };
  for (const [path, size] of Object.entries(all)) {
    const { items, sizes } = await pages(url, `/${path}?limit=2`);
    expect([path, sizes]).toEqual([path, [2, size - 2]]);
    expect(new Set(items.map((item) => JSON.stringify(item))).size).toBe(size);
  }
});

test("the pages of a filtered list keep the filter", async () => {
  const { url } = await started();
  for (const path of ["/v1/a", "/v1/b", "/v1/a", "/v1/a"]) await fetch(url + path);
  const { items, sizes } = await pages(url, "/requests?path=/v1/a&limit=2");
  expect(sizes).toEqual([2, 1]);
  expect(items).toMatchObject([{ path: "/v1/a" }, { path: "/v1/a" }, { path: "/v1/a" }]);
});

test.each([
  ["/events?limit=0", 'limit must be an integer from 1 to 10000, not "0"'],
  ["/events?limit=10001", "limit must be an integer"],
  ["/events?limit=ten", "limit must be an integer"],
  ["/events?after=gone", 'after: unknown id "gone"'],
  ["/requests?after=gone", 'after must be the id of a request, not "gone"'],
])("GET %s gets 400", async (path, detail) => {
  const { url } = await started();
  const response = await fetch(`${url}/__mock${path}`);
  expect(response.status).toBe(400);
  expect(await response.json()).toEqual({ error: "InvalidInput", detail: expect.stringContaining(detail) });
});

test("a list of connectMock contains all pages", async () => {
  const { url } = await withEvents(2_500);
  const list = await connectMock(url).events.list();
  expect(new Set(list.map(({ id }) => id)).size).toBe(2_500);
});
