import type { FieldKind } from "../options/shape.ts";
import { type Collection, collection, type ReadonlyCollection, readonlyCollection } from "../state/collection.ts";
import { customerKind } from "../state/kinds/customer.ts";
import type { KindOf } from "../state/kinds/kind.ts";
import { oauthClientKind } from "../state/kinds/oauth-client.ts";
import { organizationKind } from "../state/kinds/organization.ts";
import { productKind } from "../state/kinds/product.ts";
import { userKind } from "../state/kinds/user.ts";
import { webhookEndpointKind } from "../state/kinds/webhook-endpoint.ts";
import type { RecordPolicy } from "../state/record-policy.ts";
import type {
  Customer,
  OAuthClient,
  Organization,
  StoredEvent,
  StoredProduct,
  StoredWebhookEndpoint,
  User,
} from "../state/records.ts";
import type { State } from "../state/state.ts";
import type { Table } from "../state/table.ts";

/** The records that a test can create and read. */
export interface Collections {
  readonly organizations: Collection<Organization, Partial<Organization>>;
  readonly users: Collection<User, Partial<User>>;
  readonly customers: Collection<Customer, Partial<Customer>>;
  /** OAuth clients, by `client_id`. */
  readonly oauthClients: Collection<OAuthClient, Partial<OAuthClient>>;
  /** Products. They may have any fields. */
  readonly products: Collection<StoredProduct, Partial<StoredProduct>>;
  readonly webhookEndpoints: Collection<StoredWebhookEndpoint, Partial<StoredWebhookEndpoint>>;
  /** The usage events that were stored. */
  readonly events: ReadonlyCollection<StoredEvent>;
}

/**
 * Opens the tables of the state as collections.
 *
 * @param others The values of additional fields, when given contracts may define fields that the package does not know.
 */
export function openCollections(state: State, policy: RecordPolicy, others: FieldKind | undefined): Collections {
  const { tables } = state;
  const access = { transact: <Result>(work: () => Result) => state.transact(work), others };
  const open = <Record extends object>(table: Table<Record>, kind: KindOf<Record>) =>
    collection(table, kind(state, policy), access);
  return {
    organizations: open(tables.organizations, organizationKind),
    users: open(tables.users, userKind),
    customers: open(tables.customers, customerKind),
    oauthClients: open(tables.oauthClients, oauthClientKind),
    products: open(tables.products, productKind),
    webhookEndpoints: open(tables.webhookEndpoints, webhookEndpointKind),
    events: readonlyCollection(tables.events),
  };
}

/** Creates the organization, the user and the OAuth client that apply when a test names none. */
export function createDefaults({ organizations, users, oauthClients }: Collections, state: State): void {
  const organization = organizations.create({ slug: "default", name: "Default Organization" });
  state.defaults = { organization_id: organization.id, user_id: "", client_id: "" };
  const user = users.create({ email: "user@example.com" });
  const client = oauthClients.create({ client_name: "Default Client" });
  state.defaults = { organization_id: organization.id, user_id: user.id, client_id: client.client_id };
}
