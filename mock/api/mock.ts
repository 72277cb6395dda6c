import type { Contract } from "../../src/contract/index.ts";
import type { AssumptionChoices, Assumptions } from "../assumptions/assumptions.ts";
import type { Fault, FaultInput, Faults } from "../faults/fault.ts";
import type { Requests } from "../journal/journal.ts";
import type { SupportedVersions } from "../lifecycle/versions.ts";
import type { Moment } from "../state/clock.ts";
import type { Collection, ReadonlyCollection } from "../state/collection.ts";
import type {
  Customer,
  OAuthClient,
  Organization,
  Product,
  StoredEvent,
  User,
  WebhookEndpoint,
} from "../state/records.ts";
import type { Snapshot } from "../state/state.ts";
import type { TokenInput } from "../state/tokens.ts";
import type { MockWebhooks } from "../webhooks/webhooks.ts";

/** What a mock is made with. Nothing is needed. */
export interface MockOptions {
  /** Choices that differ from the defaults, where the specification leaves something open. */
  readonly assumptions?: AssumptionChoices | undefined;
  /** More base addresses to answer for, besides production and sandbox. */
  readonly baseUrl?: string | readonly string[] | undefined;
  /** Makes ids, tokens and secrets the same on every run; a whole number. */
  readonly seed?: number | undefined;
  /** The time: a moment that stands still, or a function; the system's clock by default. */
  readonly now?: Moment | (() => Moment) | undefined;
  /**
   * How many usage events the mock stores; 1,000,000 by default, `Infinity` for no limit. A batch that does not fit is
   * answered 507, and nothing of it is stored: the mock's own memory is at its end, not the service's.
   */
  readonly maxEvents?: number | undefined;
  /** The contracts of Deprecated, Current and Next, in place of those of the package: for trying a change of contract. */
  readonly contracts?: readonly Contract[] | undefined;
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
  /** Returns the whole state, to come back to with `restore`. It costs what was written since the last snapshot. */
  snapshot(): Snapshot;
  /** Brings back the state of a snapshot of this mock. */
  restore(snapshot: Snapshot): void;
  /**
   * Brings back the state that the mock had when it was made, or when it last began to listen: tokens and records that
   * were made before then stay. Faults are switched off, and the journal is emptied.
   */
  reset(): void;
}
