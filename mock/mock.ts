import type { Contract } from "../src/contract/index.ts";
import { type Assumptions, assume } from "./assumptions.ts";
import { contracts as packaged } from "./contracts.ts";
import type { Fault, FaultInput, Faults } from "./faults/fault.ts";
import type { ArmedFaults } from "./faults/faults.ts";
import { lost } from "./faults/lost.ts";
import type { Requests } from "./journal/journal.ts";
import type { Recorder } from "./journal/recorder.ts";
import { released, type SupportedVersions } from "./lifecycle/versions.ts";
import { readBaseUrl } from "./service/address.ts";
import { responseOf } from "./service/encode.ts";
import type { IncomingRequest } from "./service/exchange.ts";
import { Front } from "./service/front.ts";
import { type Answered, Service } from "./service/service.ts";
import { clockOf, type Moment } from "./state/clock.ts";
import { type Collection, collection, type ReadonlyCollection, readonlyCollection } from "./state/collection.ts";
import { Identity, randomSeed } from "./state/identity.ts";
import { customerKind } from "./state/kinds/customer.ts";
import type { KindOf } from "./state/kinds/kind.ts";
import { oauthClientKind } from "./state/kinds/oauth-client.ts";
import { organizationKind } from "./state/kinds/organization.ts";
import { productKind } from "./state/kinds/product.ts";
import { userKind } from "./state/kinds/user.ts";
import { webhookEndpointKind } from "./state/kinds/webhook-endpoint.ts";
import type {
  Customer,
  OAuthClient,
  Organization,
  Product,
  StoredEvent,
  User,
  WebhookEndpoint,
} from "./state/records.ts";
import { type Snapshot, State } from "./state/state.ts";
import type { Table } from "./state/table.ts";
import { issueToken, revokeToken, type TokenInput } from "./state/tokens.ts";
import { webhookSender } from "./webhooks/sender.ts";
import type { MockWebhooks } from "./webhooks/webhooks.ts";

/** What a mock is made with. Nothing is needed. */
export interface MockOptions {
  /** Choices that differ from the defaults, where the specification leaves something open. */
  readonly assumptions?: Partial<Assumptions>;
  /** More base addresses to answer for, besides production and sandbox. */
  readonly baseUrl?: string | readonly string[];
  /** Makes ids, tokens and secrets the same on every run; a whole number. */
  readonly seed?: number;
  /** The time: a moment that stands still, or a function; the system's clock by default. */
  readonly now?: Moment | (() => Moment);
  /** The contracts of Deprecated, Current and Next, in place of those of the package: for trying a change of contract. */
  readonly contracts?: readonly Contract[];
}

/** The service, in memory: it answers requests, and lets a test arrange and see its state. */
export interface Mock {
  /**
   * Answers a request as the service would. Hand it to a client in place of `fetch`: no request leaves the process, and
   * nothing is intercepted.
   */
  readonly fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response>;
  /** The base addresses that the mock answers for: production, sandbox, then those given to it. */
  readonly baseUrls: readonly string[];
  /** The choices of this mock. */
  readonly assumptions: Assumptions;
  /** The names of the supported versions. */
  readonly versions: SupportedVersions;
  /** Makes a quarterly release, and says which versions are supported after it. */
  release(): SupportedVersions;
  /**
   * Issues a token: an organization access token with every scope, unless told otherwise.
   *
   * @throws TypeError when a scope, user or organization does not exist.
   */
  issueToken(input?: TokenInput): string;
  /**
   * Revokes a token.
   *
   * @throws TypeError when the mock has not issued it.
   */
  revokeToken(token: string): void;
  readonly organizations: Collection<Organization, Partial<Organization>>;
  readonly users: Collection<User, Partial<User>>;
  readonly customers: Collection<Customer, Partial<Customer>>;
  /** OAuth clients, by `client_id`. */
  readonly oauthClients: Collection<OAuthClient, Partial<OAuthClient>>;
  /** Products; their fields are the test's own. */
  readonly products: Collection<Product, Partial<Product>>;
  readonly webhookEndpoints: Collection<WebhookEndpoint, Partial<WebhookEndpoint>>;
  /** The usage events that were stored. */
  readonly events: ReadonlyCollection<StoredEvent>;
  /** The webhooks that the mock sends: `mock.webhooks.emit("order.paid", { … })`. */
  readonly webhooks: MockWebhooks;
  /**
   * Makes requests fail: `mock.fault({ operation: "events:ingest", status: 503, times: 2 })`.
   *
   * @throws TypeError when the fault could not strike, or not as its fields say.
   */
  fault(input: FaultInput): Fault;
  /** The faults that are switched on. */
  readonly faults: Faults;
  /** The requests that were answered. */
  readonly requests: Requests;
  /** The whole state, to come back to with `restore`. It takes constant time. */
  snapshot(): Snapshot;
  /** Brings back the state of a snapshot of this mock. */
  restore(snapshot: Snapshot): void;
  /**
   * Brings back the state that the mock had when it was made, or when it last began to listen: tokens and records that
   * were made before then stay. Faults are switched off, and the journal is emptied.
   */
  reset(): void;
}

/** A mock with what its doors need. */
export interface MockCore extends Mock {
  /** The contracts of the supported versions, by the version's name. */
  contracts(): ReadonlyMap<string, Contract>;
  readonly faults: ArmedFaults;
  readonly requests: Recorder;
  /** Answers a request, and says how the answer is to be lost where a fault wants that. */
  answer(request: IncomingRequest): Answered | Promise<Answered>;
  /** Makes the present state the one that `reset` brings back. */
  keep(): void;
}

/** Makes a mock without a door. */
export function createCore(options: MockOptions): MockCore {
  const assumptions = assume(options.assumptions);
  const baseUrls = [...assumptions.baseUrls, ...[options.baseUrl ?? []].flat()].map(readBaseUrl);
  const identity = new Identity(options.seed ?? randomSeed());
  const state = new State(options.contracts ?? packaged, clockOf(options.now), identity);
  const service = new Service(state, assumptions, baseUrls);
  const front = new Front(service, new Identity(identity.fraction() * 2 ** 31));
  const open = <Record extends object>(table: Table<Record>, kind: KindOf<Record>) =>
    collection(table, kind(state, assumptions));
  const { tables } = state;
  const mock = {
    answer: (request: IncomingRequest) => front.answer(request),
    fetch: async (input: Request | string | URL, init?: RequestInit) => {
      const request = input instanceof Request && !init ? input : new Request(input, init);
      const answered = await front.answer(request);
      const response = responseOf(answered);
      return answered.loss === undefined ? response : lost(answered.loss, request, response);
    },
    fault: (input: FaultInput) => front.faults.add(input, operationsOf(state)),
    faults: front.faults,
    requests: front.requests,
    baseUrls,
    assumptions,
    contracts: () => state.versions.contracts,
    get versions() {
      return namesOf(state.versions);
    },
    release() {
      state.versions = released(state.versions);
      return mock.versions;
    },
    issueToken: (input: TokenInput = {}) => issueToken(state, input),
    revokeToken: (token: string) => revokeToken(state, token),
    organizations: open(tables.organizations, organizationKind),
    users: open(tables.users, userKind),
    customers: open(tables.customers, customerKind),
    oauthClients: open(tables.oauthClients, oauthClientKind),
    products: open(tables.products, productKind),
    webhookEndpoints: open(tables.webhookEndpoints, webhookEndpointKind),
    events: readonlyCollection(tables.events),
    webhooks: webhookSender(state, assumptions),
    snapshot: () => state.save(),
    restore: (snapshot: Snapshot) => {
      state.load(snapshot);
      mock.webhooks.resume();
    },
    reset: () => {
      mock.restore(start);
      service.forgetRates();
      front.faults.clear();
      front.requests.clear();
    },
    keep: () => {
      start = state.save();
    },
  };
  let start = addDefaults(mock, state);
  return mock;
}

/** Adds the organization, the user and the OAuth client that are used where a test names none; gives the state then. */
function addDefaults(mock: Mock, state: State): Snapshot {
  const organization = mock.organizations.create({ slug: "default", name: "Default Organization" });
  state.defaults = { organization_id: organization.id, user_id: "", client_id: "" };
  const user = mock.users.create({ email: "user@example.com" });
  const client = mock.oauthClients.create({ client_name: "Default Client" });
  state.defaults = { organization_id: organization.id, user_id: user.id, client_id: client.client_id };
  return state.save();
}

function namesOf({ deprecated, current, next }: SupportedVersions): SupportedVersions {
  return { deprecated, current, next };
}

function operationsOf({ versions }: State): ReadonlySet<string> {
  return new Set([...versions.contracts.values()].flatMap(({ operations }) => operations.map(({ id }) => id)));
}
