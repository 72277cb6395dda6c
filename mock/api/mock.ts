import type { Contract } from "../../src/contract/index.ts";
import type { AssumptionChoices, Assumptions } from "../assumptions/assumptions.ts";
import type { MockClock } from "../clock/advance.ts";
import type { Moment } from "../clock/clock.ts";
import type { Fault, FaultInput, Faults } from "../faults/faults.ts";
import type { MockNames, PackagedNames } from "../generated/names.ts";
import type { Requests } from "../journal/journal.ts";
import type { SupportedVersions } from "../lifecycle/versions.ts";
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
import type { TokenInput } from "../state/tokens.ts";
import type { MockWebhooks } from "../webhooks/webhooks.ts";

/** Options for `createMock`. All are optional. */
export interface MockOptions {
  /** Assumptions that differ from the defaults. */
  readonly assumptions?: AssumptionChoices | undefined;
  /** Base URLs of the service in addition to production and sandbox. */
  readonly baseUrl?: string | readonly string[] | undefined;
  /** An integer that makes ids, tokens and secrets the same on every run. Defaults to a random integer. */
  readonly seed?: number | undefined;
  /**
   * The mock's time: a fixed moment, or a function that returns the current one. `mock.clock.advance` adds to it. Defaults to
   * the system clock.
   */
  readonly now?: Moment | (() => Moment) | undefined;
  /**
   * The maximum number of stored usage events; `Infinity` for no limit. A batch that would exceed it is not stored, and the
   * response is a 507 (G-STORE). Defaults to 100,000.
   */
  readonly maxEvents?: number | undefined;
  /**
   * Contracts of Deprecated, Current and Next that replace the package's contracts, to try out a contract change. Those after
   * them become Next with the releases, one each; then, Next is a copy of the version just released (G-NEXTNEXT).
   */
  readonly contracts?: readonly Contract[] | undefined;
  /**
   * When releases happen: `manual`, the default, when a test calls `release()`; or `clock`, on the first day of each quarter
   * (G-DATES) that the mock's clock reaches, in order.
   */
  readonly releases?: "manual" | "clock" | undefined;
  /** Answers requests instead of the mock, or changes what it receives or returns, in process, through MSW and on a server. */
  readonly middleware?: Middleware | undefined;
  /**
   * Receives a warning for each unknown field that the mock ignored, once for each: a misspelled field has no effect in
   * production either. Defaults to `console.warn`; `false` for no warnings. `mock.requests` lists the fields as well.
   */
  readonly warn?: false | ((message: string) => void) | undefined;
}

/**
 * A function that receives each request before the mock, for what no assumption covers. It returns a response of its own, or
 * that of `next`, changed or not; `next` takes another request instead. A request that never reaches `next` is not recorded.
 *
 * @example
 * ```ts
 * const mock = createMock({
 *   middleware: async (request, next) => {
 *     const response = await next();
 *     return response.status === 401 ? Response.json({ error: "login_required" }, response) : response;
 *   },
 * });
 * ```
 */
export type Middleware = (
  request: Request,
  next: (request?: Request) => Promise<Response>,
  mock: Mock<MockNames>,
) => Response | Promise<Response>;

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

/** Options with contracts, whose operations, event types and scopes may have any names. */
export interface ContractOptions extends MockOptions {
  readonly contracts: readonly Contract[];
}

/** The service in memory. It responds to requests, and tests can set up and read its state. */
export interface Mock<Names extends MockNames = PackagedNames> extends Collections {
  /**
   * Responds to a request as the service does. Pass it to a client as `fetch`: requests do not leave the process, and nothing
   * is intercepted.
   */
  readonly fetch: (input: Request | string | URL, init?: RequestInit) => Promise<Response>;
  /**
   * The base URLs of the service: production, sandbox, then those in `baseUrl`. Requests to them are intercepted; `mock.fetch`
   * and the server respond under every host.
   */
  readonly baseUrls: readonly string[];
  /** The assumptions of this mock. */
  readonly assumptions: Assumptions;
  /**
   * Replaces the assumptions, then resets the mock. Omitted assumptions return to their defaults. `reset` keeps the assumptions.
   *
   * @returns All assumptions.
   * @throws TypeError when an assumption is unknown or invalid. The message names every problem, and nothing changes.
   */
  setAssumptions(choices?: AssumptionChoices): Assumptions;
  /** The names of the supported versions. */
  readonly versions: SupportedVersions;
  /** Simulates a quarterly release, and returns the versions that are supported after it. */
  release(): SupportedVersions;
  /**
   * Replaces the contract of Next, which may change until it is released.
   *
   * @throws TypeError when the contract is invalid, or another version's.
   */
  setNext(contract: Contract): void;
  /**
   * Issues a token, by default an organization access token with every scope.
   *
   * @throws TypeError when an option is invalid, or a scope, user or organization does not exist.
   */
  issueToken(input?: TokenInput<Names["scope"]>): string;
  /**
   * Revokes a token.
   *
   * @throws TypeError when the token was not issued by this mock.
   */
  revokeToken(token: string): void;
  /** The webhooks that the mock sends: `mock.webhooks.emit("order.paid", { … })`. */
  readonly webhooks: MockWebhooks<Names["eventType"]>;
  /** The mock's time: `await mock.clock.advance({ minutes: 20 })`. */
  readonly clock: MockClock;
  /**
   * Makes requests fail: `mock.fault({ operation: "events:ingest", status: 503, times: 2 })`.
   *
   * @throws TypeError when a field is invalid, or the fault would never apply.
   */
  fault(input: FaultInput<Names["operation"]>): Fault;
  /** The active faults. */
  readonly faults: Faults;
  /** The requests that the mock has responded to. */
  readonly requests: Requests<Names["operation"]>;
  /** Makes the current state, including tokens, records and time, the one that `reset` restores. */
  checkpoint(): void;
  /**
   * Restores the state that the mock had when it was created, last started to listen, or at the last `checkpoint`. Ids that
   * were created after that may be created again. Removes all faults and recorded requests, and rate limit counts start at 0.
   */
  reset(): void;
}

export type {
  AssumptionChoices,
  Assumptions,
  RateLimit,
  RetryPolicy,
} from "../assumptions/assumptions.ts";
export type { ClockAdvance, MockClock } from "../clock/advance.ts";
export type { Moment } from "../clock/clock.ts";
export type { Fault, FaultInput, FaultKind, Faults } from "../faults/faults.ts";
export type { EventTypeName, MockNames, OperationId, PackagedNames, ScopeName } from "../generated/names.ts";
export type { RecordedRequest, RequestFilter, Requests } from "../journal/journal.ts";
export type { SupportedVersions } from "../lifecycle/versions.ts";
export type { Collection, ReadonlyCollection } from "../state/collection.ts";
export type * from "../state/records.ts";
export type { TokenInput } from "../state/tokens.ts";
export type { EmitOptions } from "../webhooks/emit.ts";
export type { WebhookHandler } from "../webhooks/send.ts";
export type { MockWebhooks } from "../webhooks/webhooks.ts";
