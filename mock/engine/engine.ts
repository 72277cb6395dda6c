import type { Contract } from "../../src/contract/index.ts";
import { type AssumptionChoices, type Assumptions, readAssumptions } from "../assumptions/assumptions.ts";
import type { ArmedFaults } from "../faults/armed-faults.ts";
import type { Fault, FaultInput } from "../faults/fault.ts";
import { loseResponse } from "../faults/lose-response.ts";
import type { IncomingRequest } from "../http/request.ts";
import { toResponse } from "../http/response.ts";
import type { Recorder } from "../journal/recorder.ts";
import { afterRelease, type SupportedVersions, type VersionTable } from "../lifecycle/versions.ts";
import { anything, type FieldKind } from "../options/options.ts";
import type { Clock } from "../state/clock.ts";
import { type Collection, collection, type ReadonlyCollection, readonlyCollection } from "../state/collection.ts";
import { IdGenerator } from "../state/ids.ts";
import {
  customerKind,
  type KindOf,
  oauthClientKind,
  organizationKind,
  productKind,
  userKind,
  webhookEndpointKind,
} from "../state/kinds.ts";
import type { OwnAddresses } from "../state/own-addresses.ts";
import type {
  Customer,
  OAuthClient,
  Organization,
  StoredEvent,
  StoredProduct,
  StoredWebhookEndpoint,
  User,
} from "../state/records.ts";
import { type Snapshot, State, type StateLimits, type Table, type Tables } from "../state/state.ts";
import { issueToken, revokeToken, type TokenInput } from "../state/tokens.ts";
import { createWebhooks, type MockWebhooks } from "../webhooks/webhooks.ts";
import { TestClock } from "./clock.ts";
import { withCors } from "./cors.ts";
import { type HandledRequest, Service } from "./service.ts";

/** The parts of which an engine is built. */
interface EngineParts {
  readonly assumptions: Assumptions;
  /** The base URLs of the service. */
  readonly baseUrls: readonly string[];
  readonly versions: VersionTable;
  readonly clock: Clock;
  readonly ids: IdGenerator;
  readonly limits: StateLimits;
  /** Whether contracts that are not part of the package apply. */
  readonly hasGivenContracts: boolean;
}

/**
 * The mock for its adapters: everything that the public `Mock` offers, and the parts that only adapters use. The public
 * object is built from it by `mockOf`.
 */
export class Engine implements Collections {
  assumptions: Assumptions;
  readonly baseUrls: readonly string[];
  readonly organizations: Collections["organizations"];
  readonly users: Collections["users"];
  readonly customers: Collections["customers"];
  readonly oauthClients: Collections["oauthClients"];
  readonly products: Collections["products"];
  readonly webhookEndpoints: Collections["webhookEndpoints"];
  readonly events: Collections["events"];
  readonly webhooks: MockWebhooks;
  readonly clock: TestClock;
  readonly faults: ArmedFaults;
  readonly requests: Recorder;
  /** The tables of the state, to read them without a copy. */
  readonly tables: Tables;
  /** The addresses of the control API. */
  readonly own: OwnAddresses;
  /** Handles a request; the result says how a fault loses the response. */
  readonly handle: (request: IncomingRequest) => HandledRequest | Promise<HandledRequest>;
  readonly #state: State;
  /** The assumptions that every part reads at the time of a request. `setAssumptions` changes them in place. */
  readonly #policy: Assumptions;
  readonly #resumeWebhooks: () => void;
  #start: Snapshot;
  /** Distinguishes this mock's revisions from other mocks' revisions. */
  readonly #id: string = Math.random().toString(36).slice(2);
  #releases = 0;

  constructor({ assumptions, baseUrls, versions, clock, ids, limits, hasGivenContracts }: EngineParts) {
    const state = new State(versions, clock, ids, limits);
    const faultIds = new IdGenerator(ids.fraction() * 2 ** 31);
    const policy = { ...assumptions };
    const service = new Service(state, policy, baseUrls, faultIds, () => operationIds(state.versions));
    this.#state = state;
    this.#policy = policy;
    this.assumptions = assumptions;
    this.baseUrls = baseUrls;
    this.handle = withCors(
      policy,
      (request) => service.handle(request),
      (request, reply) => service.respond(request, reply),
    );
    const collections = openCollections(state, policy, hasGivenContracts ? { others: anything } : undefined);
    this.organizations = collections.organizations;
    this.users = collections.users;
    this.customers = collections.customers;
    this.oauthClients = collections.oauthClients;
    this.products = collections.products;
    this.webhookEndpoints = collections.webhookEndpoints;
    this.events = collections.events;
    const { webhooks, resume, retries } = createWebhooks(state, policy);
    this.webhooks = webhooks;
    this.clock = new TestClock(clock, retries, webhooks.idle);
    this.#resumeWebhooks = resume;
    this.faults = service.faults;
    this.requests = service.requests;
    this.tables = state.tables;
    this.own = state.own;
    createDefaults(collections, state);
    this.#start = state.save();
  }

  /** Handles a request as `fetch` does. A request whose body was already read is rejected as `fetch` rejects it. */
  async fetch(input: Request | string | URL, init?: RequestInit): Promise<Response> {
    const request = input instanceof Request && !init && !input.bodyUsed ? input : new Request(input, init);
    const handled = await this.handle(request);
    const response = toResponse(handled);
    return handled.loss === undefined ? response : loseResponse(handled.loss, request, response);
  }

  /** A value that changes with every change of the state, the clock, the faults and the journal, and never repeats. */
  get revision(): string {
    const parts = [...Object.values(this.tables), this.clock, this.faults, this.requests];
    return `${this.#id}.${parts.reduce((sum, { revision }) => sum + revision, this.#releases)}`;
  }

  fault(input: FaultInput): Fault {
    return this.faults.add(input, operationIds(this.#state.versions));
  }

  issueToken(input: TokenInput = {}): string {
    return this.#state.transact(() => issueToken(this.#state, input));
  }

  revokeToken(token: string): void {
    this.#state.transact(() => revokeToken(this.#state, token));
  }

  setAssumptions(choices: AssumptionChoices = {}): Assumptions {
    const { baseUrls } = this.assumptions;
    const assumptions = Object.freeze({ ...readAssumptions(choices, "setAssumptions"), baseUrls });
    if (choices.baseUrls && JSON.stringify(choices.baseUrls) !== JSON.stringify(baseUrls))
      throw new TypeError("setAssumptions: `baseUrls` cannot change. Create another mock.");
    Object.assign(this.#policy, assumptions);
    this.assumptions = assumptions;
    this.reset();
    return assumptions;
  }

  /** The contracts of the supported versions, by the name of the version. */
  get contracts(): ReadonlyMap<string, Contract> {
    return this.#state.versions.contracts;
  }

  get versions(): SupportedVersions {
    const { deprecated, current, next } = this.#state.versions;
    return Object.freeze({ deprecated, current, next });
  }

  release(): SupportedVersions {
    this.#releases += 1;
    this.#state.transact(() => {
      this.#state.versions = afterRelease(this.#state.versions);
    });
    return this.versions;
  }

  snapshot(): Snapshot {
    return this.#state.save();
  }

  restore(snapshot: Snapshot): void {
    this.#state.load(snapshot);
    this.#state.rates.clear();
    this.clock.stop();
    this.#resumeWebhooks();
  }

  /** Makes a state the one that `reset` restores: by default the current one. */
  checkpoint(snapshot: Snapshot = this.#state.save()): void {
    this.#start = snapshot;
  }

  reset(): void {
    this.restore(this.#start);
    this.faults.clear();
    this.requests.clear();
  }
}

/** Returns the operations of every version, including removed ones: the journal still has requests to them. */
function operationIds({ contracts, removed }: VersionTable): ReadonlySet<string> {
  const versions = [...contracts.values(), ...removed.values()];
  return new Set(versions.flatMap(({ operations }) => operations.map(({ id }) => id)));
}

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
function openCollections(
  state: State,
  policy: Assumptions,
  others: { readonly others: FieldKind } | undefined,
): Collections {
  const { tables } = state;
  const open = <Record extends object>(table: Table<Record>, kind: KindOf<Record>) =>
    collection(table, { ...others, ...kind(state, policy) }, state);
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
function createDefaults({ organizations, users, oauthClients }: Collections, state: State): void {
  const organization = organizations.create({ slug: "default", name: "Default Organization" });
  state.defaults = { organization_id: organization.id, user_id: "", client_id: "" };
  const user = users.create({ email: "user@example.com" });
  const client = oauthClients.create({ client_name: "Default Client" });
  state.defaults = { organization_id: organization.id, user_id: user.id, client_id: client.client_id };
}
