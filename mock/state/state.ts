import type { Contract } from "../../src/contract/index.ts";
import { releaseDates } from "../../src/lifecycle/index.ts";
import type { RateLimit } from "../assumptions/assumptions.ts";
import type { Clock } from "../clock/clock.ts";
import { afterRelease, requireSamePaths, type SupportedVersions, type VersionTable } from "../lifecycle/versions.ts";
import type { IdGenerator } from "./ids.ts";
import type {
  Credential,
  Customer,
  Delivery,
  EmittedEvent,
  OAuthClient,
  Organization,
  StoredEvent,
  StoredProduct,
  StoredWebhookEndpoint,
  User,
} from "./records.ts";

/** Stores values by key, in insertion order. */
export class Table<Value> {
  #rows: Map<string, Value> = new Map();
  #list: readonly Value[] | undefined;

  get size(): number {
    return this.#rows.size;
  }

  get(key: string): Value | undefined {
    return this.#rows.get(key);
  }

  has(key: string): boolean {
    return this.#rows.has(key);
  }

  set(key: string, value: Value): void {
    this.#writable().set(key, value);
  }

  addAll(added: ReadonlyMap<string, Value>): void {
    if (added.size === 0) return;
    const rows = this.#writable();
    for (const [key, value] of added) rows.set(key, value);
  }

  delete(key: string): boolean {
    return this.has(key) && this.#writable().delete(key);
  }

  /** All values, oldest first. */
  list(): readonly Value[] {
    this.#list ??= Object.freeze([...this.#rows.values()]);
    return this.#list;
  }

  /** All keys and values, oldest first. */
  entries(): IterableIterator<[string, Value]> {
    return this.#rows.entries();
  }

  /** Returns a function that restores the current rows. */
  save(): () => void {
    const saved = new Map(this.#rows);
    return () => {
      this.#rows = new Map(saved);
      this.#list = undefined;
    };
  }

  /** Returns the rows for a write. */
  #writable(): Map<string, Value> {
    this.#list = undefined;
    return this.#rows;
  }
}

/** Creates the tables for the data that the service stores. */
function emptyTables() {
  return {
    organizations: new Table<Organization>(),
    users: new Table<User>(),
    customers: new Table<Customer>(),
    oauthClients: new Table<OAuthClient>(),
    products: new Table<StoredProduct>(),
    webhookEndpoints: new Table<StoredWebhookEndpoint>(),
    credentials: new Table<Credential>(),
    events: new Table<StoredEvent>(),
    /** Event ids by duplicate key. */
    eventKeys: new Table<string>(),
    /** The events to deliver to endpoints. */
    webhookEvents: new Table<EmittedEvent>(),
    deliveries: new Table<Delivery>(),
    /** The ids of the consecutive failed events, by the endpoint's id. */
    webhookFailures: new Table<readonly string[]>(),
  };
}

/** The data that the service stores. */
export type Tables = Readonly<ReturnType<typeof emptyTables>>;

/** The default number of usage events that are stored, which protects the memory of the mock. */
export const MAX_EVENTS = 100_000;

/** Counts the requests of each issued token in time windows of fixed length, and all others together (G-RATE). */
class RateCounter {
  readonly #windows = new Map<string, { readonly start: number; count: number }>();

  /**
   * Counts a request.
   *
   * @param token The token of a valid credential; empty without one.
   * @param now Milliseconds since 1970.
   * @returns The seconds until the next window when the request exceeds the limit; undefined otherwise.
   */
  count(token: string, now: number, { requests, windowSeconds }: RateLimit): number | undefined {
    const length = windowSeconds * 1000;
    const last = this.#windows.get(token);
    const window = last && now >= last.start && now < last.start + length ? last : { start: now, count: 0 };
    this.#windows.set(token, window);
    window.count += 1;
    if (window.count <= requests) return undefined;
    return Math.max(1, Math.ceil((window.start + length - now) / 1000));
  }

  clear(): void {
    this.#windows.clear();
  }
}

/** The state of one mock, with its clock and its id generator. */
export class State {
  readonly tables: Tables = emptyTables();
  readonly clock: Clock;
  readonly ids: IdGenerator;
  /** Counts requests for the rate limit; cleared when a saved state is loaded. */
  readonly rates = new RateCounter();
  readonly maxEvents: number;
  versions: VersionTable;
  /** The ids of the default records. */
  readonly defaults = { organization_id: "", user_id: "", client_id: "" };

  readonly #isCalendar: boolean;

  constructor(versions: VersionTable, clock: Clock, ids: IdGenerator, maxEvents: number, isCalendar: boolean) {
    this.#isCalendar = isCalendar;
    this.maxEvents = maxEvents;
    this.versions = versions;
    this.clock = clock;
    this.ids = ids;
  }

  get supportedVersions(): SupportedVersions {
    this.catchUp();
    const { deprecated, current, next } = this.versions;
    return Object.freeze({ deprecated, current, next });
  }

  /** The moment of the next release by the calendar (G-DATES), in milliseconds since 1970; `Infinity` if releases are manual. */
  get nextRelease(): number {
    return this.#isCalendar
      ? Date.parse(releaseDates(this.versions.next).current.from.earliest)
      : Number.POSITIVE_INFINITY;
  }

  /** Makes the releases that are due by the mock's clock. */
  catchUp(): void {
    while (this.#isCalendar && this.nextRelease <= this.clock.now()) this.release();
  }

  /** Replaces the contract of Next, which may still change. */
  setNext(contract: Contract): void {
    const { contracts, next } = this.versions;
    if (contract.version !== next)
      throw new TypeError(`setNext: the version must be Next, ${next}, not ${contract.version}.`);
    const changed = new Map(contracts).set(next, contract);
    requireSamePaths("setNext", [...changed.values()]);
    this.versions = { ...this.versions, contracts: changed };
  }

  /** Simulates a quarterly release. */
  release(): SupportedVersions {
    this.versions = afterRelease(this.versions);
    return this.supportedVersions;
  }

  /** Returns a function that restores the current state. */
  save(): () => void {
    const restores = Object.values(this.tables).map((table) => table.save());
    const { versions } = this;
    const { advanced } = this.clock;
    const ids = this.ids.save();
    return () => {
      for (const restore of restores) restore();
      this.versions = versions;
      this.ids.load(ids);
      this.clock.load(advanced);
      this.rates.clear();
    };
  }
}
