import type { Mock } from "../api/mock.ts";
import type { Assumptions } from "../assumptions/assumptions.ts";
import { type CollectionName, collections } from "../control/collection-routes.ts";
import { fromWire } from "../control/wire.ts";
import type { Fault, FaultInput, Faults } from "../faults/fault.ts";
import type { RecordedRequest, RequestFilter, Requests } from "../journal/requests.ts";
import type { SupportedVersions } from "../lifecycle/versions.ts";
import type { Collection, ReadonlyCollection } from "../state/collection.ts";
import type { EmittedEvent } from "../state/records.ts";
import type { Snapshot } from "../state/state.ts";
import { requireEmitOptions } from "../webhooks/emit-options.ts";
import type { MockWebhooks } from "../webhooks/mock-webhooks.ts";
import { type Caller, type Connection, callerOf, callLater } from "./caller.ts";
import { receive } from "./receivers.ts";
import { remoteFetch } from "./remote-fetch.ts";

interface About {
  readonly baseUrls: readonly string[];
  readonly assumptions: Assumptions;
}

/** The mock behind a server, as an object of this process. */
export function connectedMock(connection: Connection): Mock {
  const call = callerOf(connection);
  const { baseUrls, assumptions } = call("mock.about") as About;
  return {
    baseUrls,
    assumptions: fromWire(assumptions) as Assumptions,
    fetch: remoteFetch(connection.url, baseUrls),
    get versions() {
      return call("versions.get") as SupportedVersions;
    },
    release: () => call("versions.release") as SupportedVersions,
    issueToken: (input = {}) => (call("tokens.issue", { body: input }) as { readonly token: string }).token,
    revokeToken: (token) => void call("tokens.revoke", { body: { token } }),
    ...(writableCollections(call) as Pick<Mock, CollectionName>),
    events: readonlyCollection(call, "events"),
    webhooks: webhooksOf(call, connection),
    fault: (input: FaultInput) => call("faults.add", { body: input }) as Fault,
    faults: faultsOf(call),
    requests: requestsOf(call),
    snapshot: () => snapshotOf(call("snapshots.create") as { readonly id: string }, connection),
    restore: (snapshot) => void call("snapshots.restore", { parameters: { id: idOf(snapshot, connection) } }),
    reset: () => void call("state.reset"),
  };
}

function writableCollections(call: Caller): Record<string, unknown> {
  return Object.fromEntries(Object.keys(collections).map((name) => [name, collection(call, name)]));
}

function readonlyCollection<Item>(call: Caller, name: string): ReadonlyCollection<Item> {
  return {
    get size() {
      return (call("collections.count") as Record<string, number>)[name] as number;
    },
    get: (id) => call(`${name}.get`, { parameters: { id } }) as Item | undefined,
    list: () => call(`${name}.list`) as readonly Item[],
  };
}

function collection(call: Caller, name: string): Collection<unknown, object> {
  return Object.defineProperties(
    {
      create: (body: object = {}) => call(`${name}.create`, { body }),
      update: (id: string, body: object) => call(`${name}.update`, { parameters: { id }, body }),
      delete: (id: string) => call(`${name}.delete`, { parameters: { id } }) as boolean,
    },
    Object.getOwnPropertyDescriptors(readonlyCollection(call, name)),
  ) as Collection<unknown, object>;
}

function webhooksOf(call: Caller, connection: Connection): MockWebhooks {
  return {
    emit: (type, data, options = {}) => {
      requireEmitOptions(options);
      return call("webhooks.emit", { body: { type, data, ...options } }) as readonly EmittedEvent[];
    },
    events: readonlyCollection(call, "webhooks.events"),
    deliveries: readonlyCollection(call, "webhooks.deliveries"),
    redeliver: (id) => void call("webhooks.redeliver", { parameters: { id } }),
    receive: (url, handler) => receive(call, url, handler),
    idle: async () => void (await callLater("webhooks.idle", connection)),
  };
}

function faultsOf(call: Caller): Faults {
  return {
    list: () => call("faults.list") as readonly Fault[],
    remove: (id) => call("faults.remove", { parameters: { id } }) as boolean,
    clear: () => void call("faults.clear"),
  };
}

function requestsOf(call: Caller): Requests {
  const list = (filter: RequestFilter = {}) =>
    call("requests.list", { query: { ...filter } }) as readonly RecordedRequest[];
  return {
    get count() {
      return call("requests.count") as number;
    },
    list,
    to: (operation) => list({ operation }),
    last: (filter = {}) => call("requests.last", { query: { ...filter } }) as RecordedRequest | undefined,
    clear: () => void call("requests.clear"),
  };
}

const snapshotIds = new WeakMap<object, { readonly id: string; readonly url: string }>();

/** The state stays on the server; what is handed out only stands for it. */
function snapshotOf({ id }: { readonly id: string }, { url }: Connection): Snapshot {
  const snapshot = Object.freeze({}) as Snapshot;
  snapshotIds.set(snapshot, { id, url });
  return snapshot;
}

function idOf(snapshot: Snapshot, { url }: Connection): string {
  const kept = snapshotIds.get(snapshot);
  if (kept?.url !== url) throw new TypeError("restore: the snapshot is of another mock.");
  return kept.id;
}
