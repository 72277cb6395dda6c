import { describe, expect, it } from "vitest";
import type { Mock } from "../../mock/index.ts";
import { openAdapter, problems } from "../support/adapter.ts";

function seed(mock: Mock, count: number): string[] {
  return Array.from({ length: count }, (_, i) => mock.products.create({ price: i }).id);
}

function ids(items: unknown): unknown[] {
  return (items as readonly { readonly id: unknown }[]).map(({ id }) => id);
}

describe("listing products", () => {
  it("G-PRODUCTS: returns the mock's products, ten per page; no pages without products", async () => {
    const { mock, client } = await openAdapter();
    expect(await client().products.list()).toEqual({ items: [], pagination: { total_count: 0, max_page: 0 } });
    const all = seed(mock, 23);
    const { products } = client();
    const first = await products.list();
    expect(first).toMatchObject({ items: expect.arrayContaining([mock.products.get(all[0] as string)]) as unknown });
    expect(first.pagination).toEqual({ total_count: 23, max_page: 3 });
    const pages = [first, await products.list({ page: 2 }), await products.list({ page: 3 })];
    expect(pages.flatMap(({ items }) => ids(items))).toEqual(all);
    expect((await products.list({ page: 4 })).items).toEqual([]);
  });

  it.each([
    ["page=0", "query.page value_error"],
    ["limit=0", "query.limit value_error"],
    ["page=1.5", "query.page int_type"],
    ["limit=", "query.limit int_type"],
    ["limit=1e1", "query.limit int_type"],
    ["limit=99999999999999999999", "query.limit value_error"],
  ])("G-PRODUCTS, G-422: returns 422 for %s", async (query, problem) => {
    const { send } = await openAdapter();
    expect(problems(await send(`GET /v1/products/?${query}`))).toEqual([problem]);
  });

  it("G-PRODUCTS, G-REPEAT: uses the last of a repeated parameter, and ignores unknown ones", async () => {
    const { mock, send } = await openAdapter();
    seed(mock, 3);
    const answer = await send("GET /v1/products/?limit=1&limit=2&color=red&__proto__=1");
    expect(answer.body).toMatchObject({ pagination: { total_count: 3, max_page: 2 } });
  });

  it("G-PRODUCTS: returns the products of the organizations that the token can access", async () => {
    const { mock, client } = await openAdapter();
    const [own] = seed(mock, 1);
    const organization = mock.organizations.create();
    const { id: other } = mock.products.create({ organization_id: organization.id });
    const { items } = await client("2025-01", { accessToken: mock.issueToken({ organization }) }).products.list();
    expect(ids(items)).toEqual([other]);
    expect(ids((await client().products.list()).items)).toEqual([own]);
    const user = mock.users.create({ organization_ids: [mock.organizations.create().id, organization.id] });
    const member = client("2025-01", { accessToken: mock.issueToken({ type: "pat", user }) });
    expect(ids((await member.products.list()).items)).toEqual([other]);
  });

  it.each([
    [["products:read"], 200],
    [["products:write"], 200],
    [["webhooks:read"], 403],
  ])("G-PRODUCTS: with the scopes %j returns %i", async (scopes, status) => {
    const { mock, send } = await openAdapter();
    const token = mock.issueToken({ scopes });
    expect((await send("GET /v1/products/", { token })).status).toBe(status);
  });
});
