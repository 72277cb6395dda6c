import { describe, expect, it } from "vitest";
import type { Mock } from "../../mock/index.ts";
import { openAdapter } from "../support/adapter.ts";

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

  it("G-PRODUCTS, G-REPEAT: uses the last of a repeated parameter, and ignores unknown ones", async () => {
    const { mock, send } = await openAdapter();
    seed(mock, 3);
    const answer = await send("GET /v1/products/?limit=1&limit=2&color=red&__proto__=1");
    expect(answer.body).toMatchObject({ pagination: { total_count: 3, max_page: 2 } });
  });

  it("G-PRODUCTS: a limit above 100 counts as 100", async () => {
    const { mock, client } = await openAdapter();
    const all = seed(mock, 101);
    const { items, pagination } = await client().products.list({ limit: 101 });
    expect(ids(items)).toEqual(all.slice(0, 100));
    expect(pagination).toEqual({ total_count: 101, max_page: 2 });
  });

  it("G-PRODUCTS: returns the products of the organizations that the token can access", async () => {
    const { mock, client } = await openAdapter();
    const [own] = seed(mock, 1);
    const organization = mock.organizations.create();
    const { id: other } = mock.products.create({ organization_id: organization.id });
    const user = mock.users.create({ organization_ids: [mock.organizations.create().id, organization.id] });
    const listed = async (token: Parameters<typeof mock.issueToken>[0]) =>
      ids((await client(undefined, { accessToken: mock.issueToken(token) }).products.list()).items);
    expect([await listed({}), await listed({ organization })]).toEqual([[own], [other]]);
    expect(await listed({ type: "pat", user })).toEqual([other]);
  });
});
