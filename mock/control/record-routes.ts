import type { Collections } from "../api/mock.ts";
import type { Collection } from "../state/collection.ts";
import type { Table, Tables } from "../state/state.ts";
import { type CollectionName, collections } from "./collections.ts";
import type { ControlRoute, WithBody, WithId } from "./route.ts";

type ItemOf<Name extends keyof Tables> = Tables[Name] extends Table<infer Item> ? Item : never;

/** The routes of a table that a test can read. */
type ReadRoutes<Path extends string, Item> = Readonly<
  Record<`GET ${Path}`, ControlRoute<never, readonly Item[]>> &
    Record<`GET ${Path}/{id}`, ControlRoute<WithId, Item | undefined>>
>;

/** The routes of a collection that a test can read and write. */
type RecordRoutes<Path extends string, Item> = ReadRoutes<Path, Item> &
  Readonly<
    Record<`POST ${Path}`, ControlRoute<WithBody<Partial<Item>>, Item>> &
      Record<`PATCH ${Path}/{id}`, ControlRoute<WithId & WithBody<Partial<Item>>, Item>> &
      Record<`DELETE ${Path}/{id}`, ControlRoute<WithId, boolean>>
  >;

/** Returns the routes for reading a table. */
export function readRoutes<Path extends `/${string}`, Name extends keyof Tables>(
  path: Path,
  noun: string,
  name: Name,
): ReadRoutes<Path, ItemOf<Name>> {
  const routes = {
    [`GET ${path}`]: {
      summary: `Lists every ${noun}, oldest first.`,
      handle: (_, { engine }) => engine.state.tables[name].list(),
    } satisfies ControlRoute,
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
  const collectionOf = (mock: Collections): Collection<unknown, object> => mock[name];
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
