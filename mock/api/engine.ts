import { ENVIRONMENTS } from "../../src/client/options.ts";
import { parseBaseUrl } from "../../src/values/urls.ts";
import { type Assumptions, readAssumptions } from "../assumptions/assumptions.ts";
import { TestClock } from "../clock/advance.ts";
import { createClock } from "../clock/clock.ts";
import type { Layer } from "../engine/middleware.ts";
import { RequestHandler } from "../engine/request-handler.ts";
import type { MockNames } from "../generated/names.ts";
import { printWarning } from "../http/messages.ts";
import { type Journal, type Requests, toRecordedRequest } from "../journal/journal.ts";
import { operationIds, contracts as packaged, requireContract, supportedVersions } from "../lifecycle/versions.ts";
import {
  amount,
  anything,
  callback,
  type FieldType,
  fieldType,
  integer,
  listOf,
  object,
  oneOf,
  requireOptions,
  type Shape,
  text,
  texts,
} from "../options/field-types.ts";
import { collection, readonlyCollection } from "../state/collection.ts";
import { IdGenerator } from "../state/ids.ts";
import {
  createDefaultRecords,
  customerRules,
  oauthClientRules,
  organizationRules,
  productRules,
  type RulesOf,
  userRules,
  webhookEndpointRules,
} from "../state/record-rules.ts";
import { MAX_EVENTS, State, type Table } from "../state/state.ts";
import { issueToken, revokeToken } from "../state/tokens.ts";
import { createWebhooks } from "../webhooks/webhooks.ts";
import { fetchFrom } from "./fetch.ts";
import type { Collections, Mock, MockOptions } from "./mock.ts";

/** A mock for its adapters: the public object, and what only adapters use. */
export interface Engine {
  readonly mock: Mock<MockNames>;
  readonly state: State;
  /** A value that changes with every change of the state, the clock, the faults and the journal, and never repeats. */
  readonly revision: string;
  readonly handler: RequestHandler;
  /** Ends deliveries until the next reset. */
  stop(): void;
}

const MOCK_OPTIONS: Readonly<Record<keyof MockOptions, FieldType>> = {
  assumptions: object,
  baseUrl: fieldType("a string or an array of strings", (value) => text.fits(value) || texts.fits(value)),
  seed: integer,
  now: anything,
  maxEvents: amount,
  contracts: listOf(object, "contracts"),
  releases: oneOf("manual", "clock"),
  middleware: callback,
  warn: fieldType("a function or false", (value) => value === false || callback.fits(value)),
};

/**
 * Creates an engine from a mock's options.
 *
 * @param caller The function that received the options, for error messages.
 * @param more The options that it takes in addition to a mock's options.
 * @throws TypeError when an option is unknown or invalid.
 */
export function createEngine(options: MockOptions, caller = "createMock", more: Shape = {}): Engine {
  requireOptions(caller, options, { ...MOCK_OPTIONS, ...more });
  for (const [index, each] of (options.contracts ?? []).entries()) {
    requireContract(`${caller}: contracts[${index}]`, each);
  }
  const assumptions = readAssumptions(options.assumptions);
  const baseUrls = Object.freeze([...Object.values(ENVIRONMENTS), options.baseUrl ?? []].flat().map(normalizeBaseUrl));
  const versions = supportedVersions(options.contracts ?? packaged);
  const ids = new IdGenerator(options.seed);
  const { maxEvents = MAX_EVENTS, releases } = options;
  const state = new State(versions, createClock(options.now), ids, maxEvents, releases === "clock");
  createDefaultRecords(state, assumptions);
  warnAboutTime(options, state);
  return engineOf(state, assumptions, baseUrls, options);
}

function normalizeBaseUrl(given: string): string {
  const url = parseBaseUrl(given);
  if (url !== undefined) return url;
  const without = "without a user name, a password, a query or a fragment";
  throw new TypeError(`createMock: each \`baseUrl\` must be an absolute URL with http: or https:, ${without}.`);
}

function engineOf(state: State, initial: Assumptions, baseUrls: readonly string[], options: MockOptions): Engine {
  let current = initial;
  // Every part reads it when a request arrives; `setAssumptions` changes it in place.
  const assumptions = { ...initial };
  const { middleware, warn = printWarning } = options;
  const layer: Layer | undefined = middleware && ((request, next) => middleware(request, next, mock));
  const handler = new RequestHandler(state, assumptions, baseUrls, layer, warn);
  const { faults, journal } = handler;
  const { webhooks, queue } = createWebhooks(state, assumptions);
  const clock = new TestClock(state.clock, queue.retries, webhooks.idle, state);
  const collections = openCollections(state, assumptions, options.contracts !== undefined);
  const revision = revisionOf(state, handler);
  let restore = state.save();
  const mock: Mock<MockNames> = {
    ...collections,
    fetch: (input, init) => fetchFrom(handler, input, init),
    baseUrls,
    get assumptions() {
      return current;
    },
    setAssumptions: (choices = {}) => {
      current = readAssumptions(choices, "setAssumptions");
      Object.assign(assumptions, current);
      mock.reset();
      return current;
    },
    get versions() {
      return state.supportedVersions;
    },
    release: () => state.release(),
    setNext: (contract) => {
      requireContract("setNext", contract);
      state.setNext(contract);
    },
    issueToken: (input = {}) => issueToken(state, input),
    revokeToken: (token) => revokeToken(state, token),
    webhooks,
    clock: { now: () => clock.now(), advance: (time) => clock.advance(time) },
    fault: (input) => faults.add(input, operationIds(state.versions)),
    faults: { list: () => faults.list(), remove: (fault) => faults.remove(fault), clear: () => faults.clear() },
    requests: requestsOf(journal),
    checkpoint: () => {
      restore = state.save();
    },
    reset: () => {
      restore();
      handler.endLife();
      clock.stop();
      queue.resume();
      faults.clear();
      journal.clear();
    },
  };
  return {
    ...{ mock, state, handler, stop: () => queue.stop() },
    get revision() {
      return revision();
    },
  };
}

/** Returns a function whose result is new whenever a part of the mock is another value than at the last call. */
function revisionOf(state: State, { faults, journal }: RequestHandler): () => string {
  const id = Math.random().toString(36).slice(2);
  let count = 0;
  let seen: readonly unknown[] = [];
  return () => {
    const rows: readonly unknown[] = Object.values(state.tables).map((table) => table.list());
    const requests = [journal.count, journal.entries().at(-1)];
    const current = [...rows, state.versions, state.clock.advanced, JSON.stringify(faults.list()), ...requests];
    if (current.some((part, index) => part !== seen[index])) count += 1;
    seen = current;
    return `${id}.${count}`;
  };
}

/** The days by which a given time may lie outside of the quarter of Current. */
const MAX_DISTANCE = 92 * 86_400_000;

/** Warns about a fixed time at which the service would have other versions than the mock. */
function warnAboutTime({ now, releases, warn = printWarning }: MockOptions, { clock, versions }: State): void {
  if (!warn || now === undefined || typeof now === "function" || releases === "clock") return;
  const [current, next] = [versions.current, versions.next].map((name) => Date.parse(`${name}-01`)) as [number, number];
  if (clock.now() > current - MAX_DISTANCE && clock.now() < next + MAX_DISTANCE) return;
  warn(
    `\`now\` is more than a quarter away from ${versions.current}, the Current version; see the option \`releases\``,
  );
}

/** Returns the public part of a journal. */
function requestsOf(journal: Journal): Requests<string> {
  return {
    get count() {
      return journal.count;
    },
    list: (filter) => journal.entries(filter).map(toRecordedRequest),
    to: (operation) => journal.entries({ operation }).map(toRecordedRequest),
    last: (filter) => journal.entries(filter).slice(-1).map(toRecordedRequest)[0],
    clear: () => journal.clear(),
  };
}

/**
 * Opens the tables of the state as collections.
 *
 * @param isOpen Whether records may have fields that only given contracts define.
 */
function openCollections(state: State, assumptions: Assumptions, isOpen: boolean): Collections {
  const { tables } = state;
  const open = <Item extends object>(table: Table<Item>, rules: RulesOf<Item>) =>
    collection(table, { ...(isOpen && { others: anything }), ...rules(state, assumptions) }, state);
  return {
    organizations: open(tables.organizations, organizationRules),
    users: open(tables.users, userRules),
    customers: open(tables.customers, customerRules),
    oauthClients: open(tables.oauthClients, oauthClientRules),
    products: open(tables.products, productRules),
    webhookEndpoints: open(tables.webhookEndpoints, webhookEndpointRules),
    events: readonlyCollection(tables.events),
  };
}
