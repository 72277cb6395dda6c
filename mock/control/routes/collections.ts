import type {
  Customer,
  OAuthClient,
  Organization,
  StoredEvent,
  StoredProduct,
  StoredWebhookEndpoint,
  User,
} from "../../state/records.ts";
import { type PageQuery, pageQuery } from "./paging.ts";
import type { RoutesOf } from "./route.ts";

/** The type of a record in each collection that a test can write to. */
interface RecordTypes {
  readonly organizations: Organization;
  readonly users: User;
  readonly customers: Customer;
  readonly oauthClients: OAuthClient;
  readonly products: StoredProduct;
  readonly webhookEndpoints: StoredWebhookEndpoint;
}

/** The name of a collection that a test can write to. */
export type CollectionName = keyof RecordTypes;

/** The collections that a test can write to: the path of each, and the noun for one of its records. */
export const collections: Readonly<Record<CollectionName, { readonly path: `/${string}`; readonly noun: string }>> = {
  organizations: { path: "/organizations", noun: "organization" },
  users: { path: "/users", noun: "user" },
  customers: { path: "/customers", noun: "customer" },
  oauthClients: { path: "/oauth-clients", noun: "OAuth client" },
  products: { path: "/products", noun: "product" },
  webhookEndpoints: { path: "/webhook-endpoints", noun: "webhook endpoint" },
};

/** The names of the collections that a test can write to. */
export const collectionNames: readonly CollectionName[] = Object.keys(collections) as CollectionName[];

/** Operations on a collection that a test can read. */
export interface ReadOperations<Item> {
  list(request?: { readonly query?: PageQuery }): readonly Item[];
  get(request: { readonly id: string }): Item | undefined;
}

/** Operations on a collection that a test can read and write. */
export interface RecordOperations<Item> extends ReadOperations<Item> {
  create(request: { readonly body: Partial<Item> }): Item;
  update(request: { readonly id: string; readonly body: Partial<Item> }): Item;
  delete(request: { readonly id: string }): boolean;
}

/** The number of records in each collection. */
export type RecordCounts = Readonly<
  Record<CollectionName | "events" | "webhooks.events" | "webhooks.deliveries", number>
>;

/** Operations on all collections. */
export type CollectionOperations = { readonly [Name in CollectionName]: RecordOperations<RecordTypes[Name]> } & {
  readonly events: ReadOperations<StoredEvent>;
  readonly counts: { get(): RecordCounts };
};

type CollectionRoutes = { readonly [Name in keyof CollectionOperations]: RoutesOf<CollectionOperations[Name]> };

/** The routes of every collection of records. */
export const collectionRoutes: CollectionRoutes = {
  organizations: recordRoutes("organizations"),
  users: recordRoutes("users"),
  customers: recordRoutes("customers"),
  oauthClients: recordRoutes("oauthClients"),
  products: recordRoutes("products"),
  webhookEndpoints: recordRoutes("webhookEndpoints"),
  events: readRoutes("/events", "usage event"),
  counts: { get: { method: "GET", path: "/counts", summary: "Counts the records of every collection." } },
};

function recordRoutes(name: CollectionName): RoutesOf<RecordOperations<object>> {
  const { path, noun } = collections[name];
  return {
    ...readRoutes(path, noun),
    create: {
      method: "POST",
      path,
      summary: `Creates one ${noun}.`,
      body: "The fields to set. Every other field gets a default.",
      status: 201,
    },
    update: {
      method: "PATCH",
      path: `${path}/{id}`,
      summary: `Changes fields of one ${noun}.`,
      body: "The fields to change.",
    },
    delete: {
      method: "DELETE",
      path: `${path}/{id}`,
      summary: `Deletes one ${noun}.`,
      absent: { value: false },
    },
  };
}

/** Returns the routes for reading a collection. */
export function readRoutes(path: `/${string}`, noun: string): RoutesOf<ReadOperations<object>> {
  return {
    list: {
      method: "GET",
      path,
      summary: `Lists every ${noun}, oldest first, in pages.`,
      query: pageQuery,
    },
    get: {
      method: "GET",
      path: `${path}/{id}`,
      summary: `Returns one ${noun}.`,
      absent: { value: undefined },
    },
  };
}
