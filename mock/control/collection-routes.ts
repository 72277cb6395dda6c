import type { Mock } from "../api/mock.ts";
import type { Collection, ReadonlyCollection } from "../state/collection.ts";
import type { Tables } from "../state/state.ts";
import { PAGING, pageOf } from "./list-page.ts";
import type { ControlCall, ControlRoute } from "./route.ts";

/** The collections that a test can write to, with the path of each and the word for one of its records. */
export const collections = {
  organizations: { path: "/organizations", one: "organization" },
  users: { path: "/users", one: "user" },
  customers: { path: "/customers", one: "customer" },
  oauthClients: { path: "/oauth-clients", one: "OAuth client" },
  products: { path: "/products", one: "product" },
  webhookEndpoints: { path: "/webhook-endpoints", one: "webhook endpoint" },
} as const satisfies Partial<Record<keyof Mock, { readonly path: string; readonly one: string }>>;

/** The name of a collection that a test can write to. */
export type CollectionName = keyof typeof collections;

type AnyCollection = Collection<object, object>;

/** The routes of every collection: list and get for all of them, and create, update and delete where a test may write. */
export const collectionRoutes: readonly ControlRoute[] = [
  ...(Object.keys(collections) as CollectionName[]).flatMap(writable),
  ...readable("events", "/events", "usage event", "events", ({ mock }) => mock.events),
  {
    name: "collections.count",
    method: "GET",
    path: "/counts",
    does: "Counts the records of every collection.",
    run: ({ mock }) => ({
      ...Object.fromEntries(
        [...Object.keys(collections), "events"].map((name) => [name, mock[name as CollectionName].size]),
      ),
      "webhooks.events": mock.webhooks.events.size,
      "webhooks.deliveries": mock.webhooks.deliveries.size,
    }),
  },
];

function writable(name: CollectionName): ControlRoute[] {
  const { path, one } = collections[name];
  const opened = ({ mock }: ControlCall) => mock[name] as unknown as AnyCollection;
  return [
    ...readable(name, path, one, name, opened),
    {
      name: `${name}.create`,
      method: "POST",
      path,
      does: `Creates one ${one}; every field that is left out gets a default.`,
      status: 201,
      run: (call) => opened(call).create(call.body),
    },
    {
      name: `${name}.update`,
      method: "PATCH",
      path: `${path}/{id}`,
      does: `Changes the given fields of one ${one}.`,
      run: (call) => opened(call).update(call.parameters["id"] as string, call.body),
    },
    {
      name: `${name}.delete`,
      method: "DELETE",
      path: `${path}/{id}`,
      does: `Deletes one ${one}.`,
      absent: { value: false },
      run: (call) => opened(call).delete(call.parameters["id"] as string),
    },
  ];
}

/** The routes of records that a test can read. */
export function readable(
  name: string,
  path: string,
  one: string,
  table: keyof Tables,
  opened: (call: ControlCall) => ReadonlyCollection<object>,
): ControlRoute[] {
  return [
    {
      name: `${name}.list`,
      method: "GET",
      path,
      does: `Lists every ${one}, oldest first, page by page.`,
      query: PAGING,
      run: ({ mock, query }) => pageOf(mock.tables[table], query),
    },
    {
      name: `${name}.get`,
      method: "GET",
      path: `${path}/{id}`,
      does: `Shows one ${one}.`,
      absent: { value: undefined },
      run: (call) => opened(call).get(call.parameters["id"] as string),
    },
  ];
}
