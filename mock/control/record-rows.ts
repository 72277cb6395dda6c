import type { Mock } from "../api/mock.ts";
import type { Collection } from "../state/collection.ts";
import type { Table, Tables } from "../state/state.ts";
import { type CollectionName, collections } from "./collections.ts";
import type { Row, WithBody, WithId, WithQuery } from "./row.ts";

/** The query parameters of every list that comes in pages. */
export type PageQuery = "limit" | "after";

/** The largest number of items on a page. */
const PAGE_LIMIT = 1_000;

/** The descriptions of the query parameters of every list that comes in pages. */
export const pageQuery: Readonly<Record<PageQuery, string>> = {
  limit: `The maximum number of items, from 1 to ${PAGE_LIMIT}, the default.`,
  after: "The id of the item before the first one to return.",
};

/** One page of a list: the items with their keys, and whether there are more. */
export class ListPage<Item> {
  readonly rows: readonly (readonly [key: string, item: Item])[];
  readonly hasMore: boolean;

  constructor(rows: ListPage<Item>["rows"], hasMore: boolean) {
    this.rows = rows;
    this.hasMore = hasMore;
  }
}

/**
 * Returns a page: the rows that follow the key `after`.
 *
 * @throws TypeError when `limit` is invalid, or when `after` is not the key of a row.
 */
export function pageOf<Item>(
  rows: Iterable<readonly [key: string, item: Item]>,
  { limit = String(PAGE_LIMIT), after }: WithQuery<PageQuery>["query"],
): ListPage<Item> {
  const max = /^\d+$/.test(limit) ? Number(limit) : 0;
  if (max < 1 || max > PAGE_LIMIT) {
    throw new TypeError(`limit must be an integer from 1 to ${PAGE_LIMIT}, not "${limit}".`);
  }
  const taken: (readonly [key: string, item: Item])[] = [];
  let isAfter = after === undefined;
  for (const row of rows) {
    if (taken.length === max) return new ListPage(taken, true);
    if (isAfter) taken.push(row);
    else isAfter = row[0] === after;
  }
  if (!isAfter) throw new TypeError(`after: unknown id "${after}". Start again without after.`);
  return new ListPage(taken, false);
}

type ItemOf<Name extends keyof Tables> = Tables[Name] extends Table<infer Item> ? Item : never;

/** The rows of a table that a test can read. */
type ReadRows<Path extends string, Item> = Readonly<
  Record<`GET ${Path}`, Row<WithQuery<PageQuery>, ListPage<Item>>> &
    Record<`GET ${Path}/{id}`, Row<WithId, Item | undefined>>
>;

/** The rows of a collection that a test can read and write. */
type RecordRows<Path extends string, Item> = ReadRows<Path, Item> &
  Readonly<
    Record<`POST ${Path}`, Row<WithBody<Partial<Item>>, Item>> &
      Record<`PATCH ${Path}/{id}`, Row<WithId & WithBody<Partial<Item>>, Item>> &
      Record<`DELETE ${Path}/{id}`, Row<WithId, boolean>>
  >;

/** Returns the rows for reading a table. Lists are read page by page, without a copy of the table. */
export function readRows<Path extends `/${string}`, Name extends keyof Tables>(
  path: Path,
  noun: string,
  name: Name,
): ReadRows<Path, ItemOf<Name>> {
  const rows = {
    [`GET ${path}`]: {
      summary: `Lists every ${noun}, oldest first, in pages.`,
      query: pageQuery,
      handle: ({ query }, { engine }) => pageOf<unknown>(engine.state.tables[name].entries(), query),
    } satisfies Row<WithQuery<PageQuery>>,
    [`GET ${path}/{id}`]: {
      summary: `Returns one ${noun}.`,
      optional: true,
      handle: ({ id }, { engine }) => engine.state.tables[name].get(id),
    } satisfies Row<WithId>,
  };
  return rows as unknown as ReadRows<Path, ItemOf<Name>>;
}

/** Returns the rows of a collection that a test can write to. */
export function recordRows<Name extends CollectionName>(
  name: Name,
): RecordRows<(typeof collections)[Name]["path"], ItemOf<Name>> {
  const { path, noun, example } = collections[name];
  const collectionOf = (mock: Mock): Collection<unknown, object> => mock[name];
  const rows = {
    ...readRows(path, noun, name),
    [`POST ${path}`]: {
      summary: `Creates one ${noun}.`,
      body: "The fields to set. Every other field gets a default.",
      example,
      status: 201,
      handle: ({ body }, { mock }) => collectionOf(mock).create(body),
    } satisfies Row<WithBody<object>>,
    [`PATCH ${path}/{id}`]: {
      summary: `Changes fields of one ${noun}.`,
      body: "The fields to change.",
      example,
      handle: ({ id, body }, { mock }) => collectionOf(mock).update(id, body),
    } satisfies Row<WithId & WithBody<object>>,
    [`DELETE ${path}/{id}`]: {
      summary: `Deletes one ${noun}.`,
      handle: ({ id }, { mock }) => collectionOf(mock).delete(id),
    } satisfies Row<WithId>,
  };
  return rows as unknown as RecordRows<(typeof collections)[Name]["path"], ItemOf<Name>>;
}
