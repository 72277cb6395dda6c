import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import * as z from "zod/mini";
import { createMock } from "../../mock/index.ts";
import type { CallOptions, PagedCall } from "../../src/client/index.ts";
import { sendPages } from "../../src/client/pages.ts";
import type { PagedOperation } from "../../src/contract/index.ts";
import { versionNames, versions } from "../support/clients.ts";
import { clientOf, failureOf, json, type Reply } from "./service.ts";

interface Shelf {
  things: number[];
  meta: { last: number };
}

interface ListThings {
  query: { p?: number; tag?: string };
  data: Shelf;
  item: number;
  failures: object;
}

/** A list with other field names than the service, because the client must take them from the contract. */
const listThings: PagedOperation<ListThings> = {
  id: "things:list",
  method: "GET",
  path: "/v1/things",
  summary: "List things.",
  security: { schemes: ["pat"], scopes: [] },
  request: {},
  response: { status: 200, body: z.object({ things: z.array(z.int()), meta: z.object({ last: z.int() }) }) },
  failures: {},
  pagination: { page: "p", items: ["things"], lastPage: ["meta", "last"] },
  idempotent: () => true,
};

const shelf = (things: number[], last: number): Reply => json(200, { things, meta: { last } });

async function service(...replies: Reply[]) {
  const { client, seen } = await clientOf(replies, { maxRetries: 0, onResponseMismatch: "warn", logLevel: "off" });
  const list = (query: ListThings["query"] = {}, options?: CallOptions): PagedCall<Shelf, number> =>
    sendPages(client.send, listThings, query, options);
  return { list, seen, paths: () => seen.map(({ path }) => path) };
}

describe("a call to a paged list", () => {
  it("returns the first page when awaited, and iterates over every item of every page with the same query", async () => {
    const { list, paths } = await service(shelf([1, 2], 3), shelf([3, 4], 3), shelf([5], 3));
    const call = list({ tag: "a" });
    expect(await call).toEqual({ things: [1, 2], meta: { last: 3 } });
    expect(await call.safe()).toMatchObject({ ok: true });
    expect((await call.withResponse()).response.status).toBe(200);
    expect(paths()).toEqual(["/v1/things?tag=a"]);
    expect(await Array.fromAsync(call)).toEqual([1, 2, 3, 4, 5]);
    expect(paths()).toEqual(["/v1/things?tag=a", "/v1/things?tag=a&p=2", "/v1/things?tag=a&p=3"]);
  });

  it("iterates from the requested page, even if the query object changes", async () => {
    const { list, paths } = await service(shelf([3], 3), shelf([4], 3));
    const query = { p: 2, tag: "a" };
    const call = list(query);
    Object.assign(query, { p: 9, tag: "b" });
    expect(await Array.fromAsync(call)).toEqual([3, 4]);
    expect(paths()).toEqual(["/v1/things?p=2&tag=a", "/v1/things?p=3&tag=a"]);
  });

  it("requests every page with the options of the call, only when the iteration reaches it", async () => {
    const { list, seen } = await service(shelf([1, 2], 3), shelf([3], 3));
    const call = list({}, { headers: { "x-trace": "7" } });
    for await (const { things } of call.pages()) if (things.includes(3)) break;
    expect(seen.map(({ headers }) => headers["x-trace"])).toEqual(["7", "7"]);
    const one = await service(shelf([1, 2], 2));
    for await (const item of one.list()) if (item === 2) break;
    expect(one.seen).toHaveLength(1);
  });

  it("ends at the last page that the latest response names, and at an empty page", async () => {
    const growing = await service(shelf([1], 2), shelf([2], 3), shelf([3], 3));
    expect(await Array.fromAsync(growing.list())).toEqual([1, 2, 3]);
    const shrinking = await service(shelf([1], 9), shelf([2], 2));
    expect(await Array.fromAsync(shrinking.list())).toEqual([1, 2]);
    const empty = await service(shelf([1], 9), shelf([], 9), shelf([3], 9));
    expect(await Array.fromAsync(empty.list())).toEqual([1]);
    expect(empty.paths()).toHaveLength(2);
  });

  it("fails the iteration at the page that fails, after the items before it", async () => {
    const { list } = await service(shelf([1, 2], 2), json(500, { error: "Broken" }));
    const seen: number[] = [];
    const iterate = async () => {
      for await (const item of list()) seen.push(item);
    };
    const error = await failureOf(iterate());
    expect(seen).toEqual([1, 2]);
    expect(error).toMatchObject({ name: "ApiError", status: 500, operation: "things:list" });
    expect(error.stack).toContain("pages.test.ts");
    const pages = list().pages();
    await sleep(50); // until the first page has failed
    expect(await failureOf(Array.fromAsync(pages))).toMatchObject({ status: 500 });
  });

  it.each([
    [[], "things"],
    [{ things: 7, meta: { last: 2 } }, "things"],
    [{ things: [1], meta: null }, "meta.last"],
    ["text", "things"],
  ])("fails the iteration after a response of another form, which may not be complete: %j", async (body, path) => {
    const { list, paths } = await service(json(200, body));
    const error = await failureOf(Array.fromAsync(list()));
    expect(error).toMatchObject({ name: "ResponseMismatchError", mismatches: [{ path }], operation: "things:list" });
    expect(paths()).toHaveLength(1);
  });
});

it.each(versionNames)("products.list of %s iterates over all products, a hundred at a time", async (version) => {
  const mock = createMock();
  const ids = Array.from({ length: 250 }, () => mock.products.create().id);
  const billing = versions[version].createClient({ accessToken: mock.issueToken(), fetch: mock.fetch });
  const products = await Array.fromAsync(billing.products.list({ limit: 100 }));
  expect(products.map(({ id }) => id).sort()).toEqual([...ids].sort());
  expect(mock.requests.to("products:list")).toHaveLength(3);
  expect((await billing.products.list({ limit: 100 })).items).toHaveLength(100);
});
