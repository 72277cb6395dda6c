import type { Contract } from "../../src/contract/index.ts";
import type { Assumptions } from "../assumptions/assumptions.ts";
import { assume } from "../assumptions/read-assumptions.ts";
import { readBaseUrl } from "../engine/address.ts";
import { withCors } from "../engine/cors.ts";
import { responseOf } from "../engine/encode.ts";
import type { IncomingRequest } from "../engine/exchange.ts";
import { Front } from "../engine/front.ts";
import { type Answered, Service } from "../engine/service.ts";
import type { FaultInput } from "../faults/fault.ts";
import type { ArmedFaults } from "../faults/faults.ts";
import { lost } from "../faults/lost.ts";
import { contracts as packaged } from "../generated/contracts.ts";
import type { Recorder } from "../journal/recorder.ts";
import { released, supportedVersions, type VersionTable } from "../lifecycle/versions.ts";
import { amount, anything, object, text, texts, whole } from "../options/field-kinds.ts";
import { type FieldKind, isObject, requireShape, type Shape } from "../options/shape.ts";
import { clockOf } from "../state/clock.ts";
import { collection, readonlyCollection } from "../state/collection.ts";
import { Identity, randomSeed } from "../state/identity.ts";
import { customerKind } from "../state/kinds/customer.ts";
import type { KindOf } from "../state/kinds/kind.ts";
import { oauthClientKind } from "../state/kinds/oauth-client.ts";
import { organizationKind } from "../state/kinds/organization.ts";
import { productKind } from "../state/kinds/product.ts";
import { userKind } from "../state/kinds/user.ts";
import { webhookEndpointKind } from "../state/kinds/webhook-endpoint.ts";
import type { OwnAddresses } from "../state/own-addresses.ts";
import { type Snapshot, State, type Tables } from "../state/state.ts";
import type { Table } from "../state/table.ts";
import { issueToken, revokeToken, type TokenInput } from "../state/tokens.ts";
import { webhookSender } from "../webhooks/sender.ts";
import type { Mock, MockOptions } from "./mock.ts";

/** A mock with what its doors need. */
export interface MockCore extends Mock {
  /** The contracts of the supported versions, by the version's name. */
  contracts(): ReadonlyMap<string, Contract>;
  readonly faults: ArmedFaults;
  readonly requests: Recorder;
  /** The tables of the state, to read them without a copy. */
  readonly tables: Tables;
  /** Where the control API answers. */
  readonly own: OwnAddresses;
  /** Answers a request, and says how the answer is to be lost where a fault wants that. */
  answer(request: IncomingRequest): Answered | Promise<Answered>;
  /** Makes the present state the one that `reset` brings back. */
  keep(): void;
}

interface Maker {
  readonly name: string;
  /** The options that it takes besides those of a mock. */
  readonly more: Shape;
}

/** What an option of a mock may be. */
const MOCK_OPTIONS: Readonly<Record<keyof MockOptions, FieldKind>> = {
  assumptions: object,
  baseUrl: { name: "a text or a list of texts", fits: (value) => text.fits(value) || texts.fits(value) },
  seed: whole,
  now: anything,
  maxEvents: amount,
  contracts: { name: "a list of contracts", fits: (value) => Array.isArray(value) && value.every(isObject) },
};

/**
 * Makes a mock without a door.
 *
 * @param maker The function that the options were given to, and what else it takes.
 */
export function createCore(options: MockOptions, { name, more }: Maker = { name: "createMock", more: {} }): MockCore {
  requireShape(name, options, { ...MOCK_OPTIONS, ...more });
  const assumptions = assume(options.assumptions);
  const baseUrls = Object.freeze([...assumptions.baseUrls, ...[options.baseUrl ?? []].flat()].map(readBaseUrl));
  const identity = new Identity(options.seed ?? randomSeed());
  const versions = supportedVersions(options.contracts ?? packaged, assumptions.nextContract);
  const state = new State(versions, clockOf(options.now), identity, options.maxEvents);
  const service = new Service(state, assumptions, baseUrls);
  const front = new Front(service, new Identity(identity.fraction() * 2 ** 31), () => operationsOf(state.versions));
  const answer = (request: IncomingRequest) => front.answer(request);
  const mock = {
    baseUrls,
    assumptions,
    ...answering(
      front,
      state,
      withCors(assumptions, answer, (request) => service.receive(request)),
    ),
    ...records(state, assumptions, hasOtherContracts(options) ? anything : undefined),
    webhooks: webhookSender(state, assumptions),
    tables: state.tables,
    own: state.own,
    contracts: () => state.versions.contracts,
    get versions() {
      const { deprecated, current, next } = state.versions;
      return Object.freeze({ deprecated, current, next });
    },
    release() {
      state.versions = released(state.versions);
      return mock.versions;
    },
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

/** Whether contracts that are not of the package are in force, or will be. */
function hasOtherContracts({ contracts, assumptions }: MockOptions): boolean {
  return contracts !== undefined || assumptions?.nextContract !== undefined;
}

/** What answers requests, what makes them fail, and what keeps a record of them. */
function answering(front: Front, state: State, answer: MockCore["answer"]) {
  return {
    answer,
    fetch: async (input: Request | string | URL, init?: RequestInit) => {
      // A request whose body was read before is rejected as `fetch` rejects it.
      const request = input instanceof Request && !init && !input.bodyUsed ? input : new Request(input, init);
      const answered = await answer(request);
      const response = responseOf(answered);
      return answered.loss === undefined ? response : lost(answered.loss, request, response);
    },
    fault: (input: FaultInput) => front.faults.add(input, operationsOf(state.versions)),
    faults: front.faults,
    requests: front.requests,
  };
}

/**
 * What a test can create and look at.
 *
 * @param others What further fields of records may hold: a contract that was given may describe more than those known.
 */
function records(state: State, assumptions: Assumptions, others: FieldKind | undefined) {
  const { tables } = state;
  const around = {
    transact: <Result>(work: () => Result) => state.transact(work),
    others,
  };
  const open = <Record extends object>(table: Table<Record>, kind: KindOf<Record>) =>
    collection(table, kind(state, assumptions), around);
  return {
    issueToken: (input: TokenInput = {}) => state.transact(() => issueToken(state, input)),
    revokeToken: (token: string) => revokeToken(state, token),
    organizations: open(tables.organizations, organizationKind),
    users: open(tables.users, userKind),
    customers: open(tables.customers, customerKind),
    oauthClients: open(tables.oauthClients, oauthClientKind),
    products: open(tables.products, productKind),
    webhookEndpoints: open(tables.webhookEndpoints, webhookEndpointKind),
    events: readonlyCollection(tables.events),
  };
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

/** The operations of every version, also of those that were removed: the journal still holds requests to them. */
function operationsOf({ contracts, removed }: VersionTable): ReadonlySet<string> {
  const versions = [...contracts.values(), ...removed.values()];
  return new Set(versions.flatMap(({ operations }) => operations.map(({ id }) => id)));
}
