import type { Engine } from "../../engine/engine.ts";
import type { Collection, ReadonlyCollection } from "../../state/collection.ts";
import type { Table } from "../../state/table.ts";
import { pageOf } from "../list-page.ts";
import {
  type CollectionOperations,
  collectionNames,
  type ReadOperations,
  type RecordCounts,
  type RecordOperations,
} from "../routes/collections.ts";
import type { HandlersOf } from "./handler.ts";

type CollectionHandlers = { readonly [Name in keyof CollectionOperations]: HandlersOf<CollectionOperations[Name]> };

/** The handlers of every collection of records. */
export const collectionHandlers: CollectionHandlers = {
  organizations: recordHandlers(
    ({ organizations }) => organizations,
    ({ tables }) => tables.organizations,
  ),
  users: recordHandlers(
    ({ users }) => users,
    ({ tables }) => tables.users,
  ),
  customers: recordHandlers(
    ({ customers }) => customers,
    ({ tables }) => tables.customers,
  ),
  oauthClients: recordHandlers(
    ({ oauthClients }) => oauthClients,
    ({ tables }) => tables.oauthClients,
  ),
  products: recordHandlers(
    ({ products }) => products,
    ({ tables }) => tables.products,
  ),
  webhookEndpoints: recordHandlers(
    ({ webhookEndpoints }) => webhookEndpoints,
    ({ tables }) => tables.webhookEndpoints,
  ),
  events: readHandlers(
    ({ events }) => events,
    ({ tables }) => tables.events,
  ),
  counts: { get: (_, { mock }) => countsOf(mock) },
};

function recordHandlers<Item extends object>(
  collectionOf: (mock: Engine) => Collection<Item, Partial<Item>>,
  tableOf: (mock: Engine) => Table<Item>,
): HandlersOf<RecordOperations<Item>> {
  return {
    ...readHandlers(collectionOf, tableOf),
    create: ({ body }, { mock }) => collectionOf(mock).create(body),
    update: ({ id, body }, { mock }) => collectionOf(mock).update(id, body),
    delete: ({ id }, { mock }) => collectionOf(mock).delete(id),
  };
}

/** Returns the handlers for reading a collection. Lists are read from the table, page by page, without a copy of it. */
export function readHandlers<Item extends object>(
  collectionOf: (mock: Engine) => ReadonlyCollection<Item>,
  tableOf: (mock: Engine) => Table<Item>,
): HandlersOf<ReadOperations<Item>> {
  return {
    list: ({ query }, { mock }) => pageOf(tableOf(mock), query),
    get: ({ id }, { mock }) => collectionOf(mock).get(id),
  };
}

function countsOf(mock: Engine): RecordCounts {
  const sizes = Object.fromEntries(collectionNames.map((name) => [name, mock[name].size]));
  return {
    ...(sizes as Record<(typeof collectionNames)[number], number>),
    events: mock.events.size,
    "webhooks.events": mock.webhooks.events.size,
    "webhooks.deliveries": mock.webhooks.deliveries.size,
  };
}
