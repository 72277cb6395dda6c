import type { Contract } from "../../src/contract/index.ts";
import type { AssumptionChoices, Assumptions } from "../assumptions/assumptions.ts";
import type { MockClock } from "../engine/clock.ts";
import type { Fault, FaultInput, Faults } from "../faults/fault.ts";
import type { Requests } from "../journal/requests.ts";
import type { SupportedVersions } from "../lifecycle/versions.ts";
import type { Moment } from "../state/clock.ts";
import type { Collection, ReadonlyCollection } from "../state/collection.ts";
import type {
  Customer,
  OAuthClient,
  Organization,
  StoredEvent,
  StoredProduct,
  StoredWebhookEndpoint,
  User,
} from "../state/records.ts";
import type { Snapshot } from "../state/state.ts";
import type { TokenInput } from "../state/tokens.ts";
import type { MockWebhooks } from "../webhooks/webhooks.ts";

/** Options for `createMock`. All are optional. */
export interface MockOptions {
  /** Assumptions that differ from the defaults, where the specification leaves something open. */
  readonly assumptions?: AssumptionChoices | undefined;
  /** Base URLs of the service in addition to production and sandbox. */
  readonly baseUrl?: string | readonly string[] | undefined;
  /** An integer that makes ids, tokens and secrets the same on every run. Defaults to a random one. */
  readonly seed?: number | undefined;
  /**
   * The current time: a fixed moment, or a function that returns it. `mock.clock.advance` adds to it. Defaults to the
   * system clock.
   */
  readonly now?: Moment | (() => Moment) | undefined;
  /**
   * The maximum number of stored usage events; `Infinity` for no limit. A batch that does not fit is answered with 507 and
   * not stored. The limit protects the memory of the mock and is an assumption (G-STORE). Defaults to 100,000.
   */
  readonly maxEvents?: number | undefined;
  /**
   * The maximum memory that usage events take, in bytes: an estimate from the size of the requests that sent them.
   * Defaults to 1,000,000,000.
   */
  readonly maxEventBytes?: number | undefined;
  /**
   * The contracts of Deprecated, Current and Next, instead of the package's contracts, to try a contract change. A fourth is
   * the Next that `release()` creates; by default, that is a copy of the version just released (G-NEXTNEXT).
   */
  readonly contracts?: readonly Contract[] | undefined;
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

/** The service in memory: it answers requests, and lets a test arrange and read its state. */
export interface Mock extends Collections {
  /**
   * Answers a request as the service does. Pass it to a client instead of `fetch`: no request leaves the process, and
   * nothing is intercepted.
   */
  readonly fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response>;
  /** The base URLs of the service: production, sandbox, then those in `baseUrl`. */
  readonly baseUrls: readonly string[];
  /** The assumptions of this mock. */
  readonly assumptions: Assumptions;
  /**
   * Replaces the assumptions, then resets the mock. What you leave out gets its default, except `baseUrls`, which cannot
   * change. They stay until the next call: `reset` and `restore` keep them.
   *
   * @returns All assumptions.
   * @throws TypeError when an assumption is unknown or invalid. Nothing changes then, and the message names every problem.
   */
  setAssumptions(choices?: AssumptionChoices): Assumptions;
  /** The names of the supported versions. */
  readonly versions: SupportedVersions;
  /** Makes a quarterly release. Returns the versions that are supported after it. */
  release(): SupportedVersions;
  /**
   * Issues a token, by default an organization access token with every scope.
   *
   * @throws TypeError when an option is invalid, or a scope, user or organization does not exist.
   */
  issueToken(input?: TokenInput): string;
  /**
   * Revokes a token.
   *
   * @throws TypeError when the token was not issued by this mock.
   */
  revokeToken(token: string): void;
  /** The webhooks that the mock sends: `mock.webhooks.emit("order.paid", { … })`. */
  readonly webhooks: MockWebhooks;
  /** The time of the mock: `await mock.clock.advance({ minutes: 20 })`. */
  readonly clock: MockClock;
  /**
   * Makes requests fail: `mock.fault({ operation: "events:ingest", status: 503, times: 2 })`.
   *
   * @throws TypeError when a field is invalid, or the fault would never apply.
   */
  fault(input: FaultInput): Fault;
  /** The active faults. */
  readonly faults: Faults;
  /** The requests that were answered. */
  readonly requests: Requests;
  /** Returns the whole state, for `restore`. Takes constant time. */
  snapshot(): Snapshot;
  /**
   * Restores the state of a snapshot of this mock. Also restores the generator of ids, so ids that were created after the
   * snapshot may be created again. A snapshot has no counts of a rate limit: they start anew.
   *
   * @throws TypeError when the value is not a snapshot of this mock.
   */
  restore(snapshot: Snapshot): void;
  /**
   * Restores the state that the mock had when it was created, or when it last started to listen; tokens and records
   * created before that remain. Removes all faults and clears the journal.
   */
  reset(): void;
}
