import type { Mock } from "../api/mock.ts";
import type { CollectionName, ReadOperations, RecordCounts, RecordOperations } from "../control/routes/collections.ts";
import type { ControlApi } from "../control/routes/index.ts";
import { fromWire } from "../control/routes/wire.ts";
import type { MockClock } from "../engine/clock.ts";
import type { Faults } from "../faults/fault.ts";
import type { RequestFilter, Requests } from "../journal/requests.ts";
import type { Collection, ReadonlyCollection } from "../state/collection.ts";
import type { Snapshot } from "../state/state.ts";
import { requireEmitOptions } from "../webhooks/emit.ts";
import type { MockWebhooks } from "../webhooks/webhooks.ts";
import { receiveDeliveries } from "./receive-deliveries.ts";
import { asyncRemoteControl, type RemoteServer, remoteControl } from "./remote-control.ts";
import { remoteFetch } from "./remote-fetch.ts";

/** Returns the mock behind a server as an object of this process. */
export function connectedMock(server: RemoteServer): Mock {
  const control = remoteControl(server);
  const { baseUrls, assumptions } = control.mock.about();
  return {
    baseUrls,
    assumptions: fromWire(assumptions),
    fetch: remoteFetch(server.url, baseUrls),
    get versions() {
      return control.versions.get();
    },
    release: () => control.versions.release(),
    issueToken: (input = {}) => control.tokens.issue({ body: input }).token,
    revokeToken: (token) => control.tokens.revoke({ body: { token } }),
    ...collectionsOf(control),
    webhooks: webhooksOf(control, server),
    clock: clockOf(control, server),
    fault: (input) => control.faults.add({ body: input }),
    faults: faultsOf(control),
    requests: requestsOf(control),
    snapshot: () => snapshotOf(control.snapshots.create().id, server),
    restore: (snapshot) => control.snapshots.restore({ id: idOf(snapshot, server) }),
    reset: () => control.mock.reset(),
  };
}

function collectionsOf(control: ControlApi): Pick<Mock, CollectionName | "events"> {
  const size = sizeIn(control);
  return {
    organizations: collection(control.organizations, size("organizations")),
    users: collection(control.users, size("users")),
    customers: collection(control.customers, size("customers")),
    oauthClients: collection(control.oauthClients, size("oauthClients")),
    products: collection(control.products, size("products")),
    webhookEndpoints: collection(control.webhookEndpoints, size("webhookEndpoints")),
    events: readonlyCollection(control.events, size("events")),
  };
}

type Size = () => number;

function sizeIn({ counts }: ControlApi): (name: keyof RecordCounts) => Size {
  return (name) => () => counts.get()[name];
}

function readonlyCollection<Item>({ list, get }: ReadOperations<Item>, size: Size): ReadonlyCollection<Item> {
  return {
    get size() {
      return size();
    },
    get: (id) => get({ id }),
    list: () => list(),
  };
}

function collection<Item>(control: RecordOperations<Item>, size: Size): Collection<Item, Partial<Item>> {
  return {
    get size() {
      return size();
    },
    get: (id) => control.get({ id }),
    list: () => control.list(),
    create: (body = {}) => control.create({ body }),
    update: (id, body) => control.update({ id, body }),
    delete: (id) => control.delete({ id }),
  };
}

function webhooksOf(control: ControlApi, server: RemoteServer): MockWebhooks {
  const size = sizeIn(control);
  return {
    emit: (type, data, options = {}) => {
      requireEmitOptions(options);
      return control.webhooks.emit({ body: { type, data, ...options } });
    },
    events: readonlyCollection(control.webhookEvents, size("webhooks.events")),
    deliveries: readonlyCollection(control.deliveries, size("webhooks.deliveries")),
    redeliver: (id) => control.webhooks.redeliver({ id }),
    receive: (url, handler) => receiveDeliveries(control, url, handler),
    idle: () => asyncRemoteControl(server).webhooks.idle(),
  };
}

function clockOf({ clock }: ControlApi, server: RemoteServer): MockClock {
  return {
    now: () => new Date(clock.get().now),
    advance: async (body) => new Date((await asyncRemoteControl(server).clock.advance({ body })).now),
  };
}

function faultsOf({ faults }: ControlApi): Faults {
  return {
    list: () => faults.list(),
    remove: (id) => faults.remove({ id }),
    clear: () => faults.clear(),
  };
}

function requestsOf({ requests }: ControlApi): Requests {
  const list = (filter: RequestFilter = {}) => requests.list({ query: filter });
  return {
    get count() {
      return requests.count();
    },
    list,
    to: (operation) => list({ operation }),
    last: (filter = {}) => requests.last({ query: filter }),
    clear: () => requests.clear(),
  };
}

const snapshotIds = new WeakMap<object, { readonly id: string; readonly url: string }>();

/** Creates a snapshot object that stands for a state on the server. */
function snapshotOf(id: string, { url }: RemoteServer): Snapshot {
  const snapshot = Object.freeze({}) as Snapshot;
  snapshotIds.set(snapshot, { id, url });
  return snapshot;
}

function idOf(snapshot: Snapshot, { url }: RemoteServer): string {
  const saved = snapshotIds.get(snapshot);
  if (saved?.url !== url) throw new TypeError("restore: the snapshot belongs to another mock.");
  return saved.id;
}
