import type { Engine } from "../engine/engine.ts";
import type { Faults } from "../faults/fault.ts";
import type { Requests } from "../journal/requests.ts";
import type { Mock } from "./mock.ts";

/** Returns the public object of an engine. It has the documented members and no others. */
export function mockOf(engine: Engine): Mock {
  return {
    fetch: (input, init) => engine.fetch(input, init),
    baseUrls: engine.baseUrls,
    get assumptions() {
      return engine.assumptions;
    },
    setAssumptions: (choices) => engine.setAssumptions(choices),
    get versions() {
      return engine.versions;
    },
    release: () => engine.release(),
    issueToken: (input) => engine.issueToken(input),
    revokeToken: (token) => engine.revokeToken(token),
    organizations: engine.organizations,
    users: engine.users,
    customers: engine.customers,
    oauthClients: engine.oauthClients,
    products: engine.products,
    webhookEndpoints: engine.webhookEndpoints,
    events: engine.events,
    webhooks: engine.webhooks,
    clock: { now: () => engine.clock.now(), advance: (time) => engine.clock.advance(time) },
    fault: (input) => engine.fault(input),
    faults: faultsOf(engine),
    requests: requestsOf(engine),
    snapshot: () => engine.snapshot(),
    restore: (snapshot) => engine.restore(snapshot),
    reset: () => engine.reset(),
  };
}

function faultsOf({ faults }: Engine): Faults {
  return { list: () => faults.list(), remove: (id) => faults.remove(id), clear: () => faults.clear() };
}

function requestsOf({ requests }: Engine): Requests {
  return {
    get count() {
      return requests.count;
    },
    list: (filter) => requests.list(filter),
    to: (operation) => requests.to(operation),
    last: (filter) => requests.last(filter),
    clear: () => requests.clear(),
  };
}
