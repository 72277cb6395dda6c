import type { Mock } from "../api/mock.ts";
import type { Collection } from "../state/collection.ts";
import type { Table, Tables } from "../state/state.ts";
import { type CollectionName, collections } from "./collections.ts";
import type { ControlRoute, WithBody, WithId, WithQuery } from "./route.ts";

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
  readonly entries: readonly (readonly [key: string, item: Item])[];
  readonly hasMore: boolean;

  constructor(entries: ListPage<Item>["entries"], hasMore: boolean) {
    this.entries = entries;
    this.hasMore = hasMore;
  }
}

/**
 * Returns a page: the entries that follow the key `after`.
 *
 * @throws TypeError when `limit` is invalid, or when `after` is not the key of an entry.
 */
export function pageOf<Item>(
  entries: Iterable<readonly [key: string, item: Item]>,
  { limit = String(PAGE_LIMIT), after }: WithQuery<PageQuery>["query"],
): ListPage<Item> {
  const max = /^\d+$/.test(limit) ? Number(limit) : 0;
  if (max < 1 || max > PAGE_LIMIT) {
    throw new TypeError(`limit must be an integer from 1 to ${PAGE_LIMIT}, not "${limit}".`);
  }
  const taken: (readonly [key: string, item: Item])[] = [];
  let isAfter = after === undefined;
  for (const entry of entries) {
    if (taken.length === max) return new ListPage(taken, true);
    if (isAfter) taken.push(entry);
    else isAfter = entry[0] === after;
  }
  if (!isAfter) throw new TypeError(`after: unknown id "${after}". Start again without after.`);
  return new ListPage(taken, false);
}

type ItemOf<Name extends keyof Tables> = Tables[Name] extends Table<infer Item> ? Item : never;

/** The routes of a table that a test can read. */
type ReadRoutes<Path extends string, Item> = Readonly<
  Record<`GET ${Path}`, ControlRoute<WithQuery<PageQuery>, ListPage<Item>>> &
    Record<`GET ${Path}/{id}`, ControlRoute<WithId, Item | undefined>>
>;

/** The routes of a collection that a test can read and write. */
type RecordRoutes<Path extends string, Item> = ReadRoutes<Path, Item> &
  Readonly<
    Record<`POST ${Path}`, ControlRoute<WithBody<Partial<Item>>, Item>> &
      Record<`PATCH ${Path}/{id}`, ControlRoute<WithId & WithBody<Partial<Item>>, Item>> &
      Record<`DELETE ${Path}/{id}`, ControlRoute<WithId, boolean>>
  >;

/** Returns the routes for reading a table. Lists are read page by page, without a copy of the table. */
export function readRoutes<Path extends `/${string}`, Name extends keyof Tables>(
  path: Path,
  noun: string,
  name: Name,
): ReadRoutes<Path, ItemOf<Name>> {
  const routes = {
    [`GET ${path}`]: {
      summary: `Lists every ${noun}, oldest first, in pages.`,
      query: pageQuery,
      handle: ({ query }, { engine }) => pageOf<unknown>(engine.state.tables[name].entries(), query),
    } satisfies ControlRoute<WithQuery<PageQuery>>,
    [`GET ${path}/{id}`]: {
      summary: `Returns one ${noun}.`,
      optional: true,
      handle: ({ id }, { engine }) => engine.state.tables[name].get(id),
    } satisfies ControlRoute<WithId>,
  };
  return routes as unknown as ReadRoutes<Path, ItemOf<Name>>;
}

/** Returns the routes of a collection that a test can write to. */
export function recordRoutes<Name extends CollectionName>(
  name: Name,
): RecordRoutes<(typeof collections)[Name]["path"], ItemOf<Name>> {
  const { path, noun, example } = collections[name];
  const collectionOf = (mock: Mock): Collection<unknown, object> => mock[name];
  const routes = {
    ...readRoutes(path, noun, name),
    [`POST ${path}`]: {
      summary: `Creates one ${noun}.`,
      body: "The fields to set. Every other field gets a default.",
      example,
      status: 201,
      handle: ({ body }, { mock }) => collectionOf(mock).create(body),
    } satisfies ControlRoute<WithBody<object>>,
    [`PATCH ${path}/{id}`]: {
      summary: `Changes fields of one ${noun}.`,
      body: "The fields to change.",
      example,
      handle: ({ id, body }, { mock }) => collectionOf(mock).update(id, body),
    } satisfies ControlRoute<WithId & WithBody<object>>,
    [`DELETE ${path}/{id}`]: {
      summary: `Deletes one ${noun}.`,
      handle: ({ id }, { mock }) => collectionOf(mock).delete(id),
    } satisfies ControlRoute<WithId>,
  };
  return routes as unknown as RecordRoutes<(typeof collections)[Name]["path"], ItemOf<Name>>;
}
