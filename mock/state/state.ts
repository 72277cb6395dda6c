import type { VersionTable } from "../lifecycle/versions.ts";
import type { Delivery, EmittedEvent } from "../webhooks/webhooks.ts";
import type { Clock } from "./clock.ts";
import type { Identity } from "./identity.ts";
import type {
  Credential,
  Customer,
  OAuthClient,
  Organization,
  Product,
  StoredEvent,
  User,
  WebhookEndpoint,
} from "./records.ts";
import { Table, type TableSnapshot } from "./table.ts";

/** Everything that the service remembers between requests. */
export interface Tables {
  readonly organizations: Table<Organization>;
  readonly users: Table<User>;
  readonly customers: Table<Customer>;
  readonly oauthClients: Table<OAuthClient>;
  readonly products: Table<Product>;
  readonly webhookEndpoints: Table<WebhookEndpoint>;
  readonly credentials: Table<Credential>;
  readonly events: Table<StoredEvent>;
  /** Which event was stored under a duplicate key: key to event id. */
  readonly eventKeys: Table<string>;
  /** The events that endpoints are sent. */
  readonly webhookEvents: Table<EmittedEvent>;
  readonly deliveries: Table<Delivery>;
  /** The events in a row that an endpoint has not taken, by the endpoint's id. */
  readonly webhookFailures: Table<readonly string[]>;
}

/** The state of a mock at some moment; opaque, and never changed afterwards. */
export interface Snapshot {
  readonly tables: Readonly<Record<string, TableSnapshot<unknown>>>;
  readonly versions: VersionTable;
  readonly identity: readonly number[];
  readonly defaults: Defaults;
}

/** What is used where a test names nothing. */
export interface Defaults {
  readonly organization_id: string;
  readonly user_id: string;
  readonly client_id: string;
}

/** The state of one mock, with its clock and its source of ids. */
export class State {
  readonly tables: Tables = {
    organizations: new Table(),
    users: new Table(),
    customers: new Table(),
    oauthClients: new Table(),
    products: new Table(),
    webhookEndpoints: new Table(),
    credentials: new Table(),
    events: new Table(),
    eventKeys: new Table(),
    webhookEvents: new Table(),
    deliveries: new Table(),
    webhookFailures: new Table(),
  };
  readonly clock: Clock;
  readonly identity: Identity;
  versions: VersionTable;
  defaults: Defaults = { organization_id: "", user_id: "", client_id: "" };

  constructor(versions: VersionTable, clock: Clock, identity: Identity) {
    this.versions = versions;
    this.clock = clock;
    this.identity = identity;
  }

  save(): Snapshot {
    return {
      tables: Object.fromEntries(this.#entries().map(([name, table]) => [name, table.save()])),
      versions: this.versions,
      identity: this.identity.save(),
      defaults: this.defaults,
    };
  }

  load(snapshot: Snapshot): void {
    const isOne = this.#entries().every(([name]) => snapshot?.tables?.[name] instanceof Map);
    if (!isOne)
      throw new TypeError("restore: that is no snapshot of a mock; JSON and copies of one cannot be restored.");
    for (const [name, table] of this.#entries()) table.load(snapshot.tables[name] as TableSnapshot<unknown>);
    this.versions = snapshot.versions;
    this.identity.load(snapshot.identity);
    this.defaults = snapshot.defaults;
  }

  #entries(): [string, Table<unknown>][] {
    return Object.entries(this.tables);
  }
}
