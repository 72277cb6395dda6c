import type { Engine } from "../api/engine.ts";
import { formatTimestamp } from "../clock/clock.ts";
import type { RequestFilter } from "../journal/journal.ts";
import type { Collection, ReadonlyCollection } from "../state/collection.ts";
import { COLLECTIONS, type CollectionName } from "./client.ts";

/** A request to a route. */
export interface ControlRequest {
  /** The `{id}` in the path; empty where the path has none. */
  readonly id: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** The JSON object that was sent. The mock's methods check it, so it fits all of them. */
  readonly body: never;
}

/** An operation of the control API. */
export interface ControlRoute {
  /** One sentence for the list of routes. */
  readonly summary: string;
  /** The query parameters, with a description of each. Without it, there are none. */
  readonly query?: Readonly<Record<string, string>>;
  /** A description of the JSON object in the body. */
  readonly body?: string;
  /** A body to start from, for the list of routes and the forms of the inspector. */
  readonly example?: object;
  /** The status of a response with a body; 200 by default. */
  readonly status?: 201;
  /** Its result is the response. False, and undefined for GET, become 404; true, and undefined otherwise, 204. */
  handle(request: ControlRequest, engine: Engine): unknown;
}

/** Routes by method and path below `/__mock`; `{id}` matches one segment. */
type Routes = Readonly<Record<string, ControlRoute>>;

/** Returns the routes for reading a collection. */
function readRoutes(path: string, noun: string, open: (engine: Engine) => ReadonlyCollection<unknown>): Routes {
  return {
    [`GET ${path}`]: {
      summary: `Lists every ${noun}, oldest first.`,
      handle: (_, engine) => open(engine).list(),
    },
    [`GET ${path}/{id}`]: {
      summary: `Returns one ${noun}.`,
      handle: ({ id }, engine) => open(engine).get(id),
    },
  };
}

/** Returns the routes of a collection that a test can write to. */
function recordRoutes(name: CollectionName, noun: string, example: object): Routes {
  const path = COLLECTIONS[name];
  const open = ({ mock }: Engine): Collection<unknown, object> => mock[name];
  return {
    ...readRoutes(path, noun, open),
    [`POST ${path}`]: {
      summary: `Creates one ${noun}.`,
      body: "The fields to set. Every other field gets a default.",
      example,
      status: 201,
      handle: ({ body }, engine) => open(engine).create(body),
    },
    [`PATCH ${path}/{id}`]: {
      summary: `Changes fields of one ${noun}.`,
      body: "The fields to change.",
      example,
      handle: ({ id, body }, engine) => open(engine).update(id, body),
    },
    [`DELETE ${path}/{id}`]: {
      summary: `Deletes one ${noun}.`,
      handle: ({ id }, engine) => open(engine).delete(id),
    },
  };
}

/**
 * Every operation of the control API, in the order of its documentation. The server serves and lists these routes, and
 * `connectMock`, the inspector and `billing trigger` call them.
 */
export const routes: Routes = {
  "GET /assumptions": {
    summary: "Returns the assumptions of the mock, where the specification leaves something open.",
    handle: (_, { mock }) => mock.assumptions,
  },
  "PUT /assumptions": {
    summary: "Replaces the assumptions, then resets the mock. Omitted assumptions return to their defaults.",
    body: "The assumptions that differ from the defaults, as in the file of `billing mock --assumptions`.",
    example: { maxBatchSize: 250 },
    handle: ({ body }, { mock }) => mock.setAssumptions(body),
  },
  "POST /checkpoint": {
    summary: "Makes the current state the one that a reset restores.",
    handle: (_, { mock }) => mock.checkpoint(),
  },
  "POST /reset": {
    summary: "Restores the initial state or the last checkpoint, removes all faults and clears the journal.",
    handle: (_, { mock }) => mock.reset(),
  },
  "GET /tokens": {
    summary: "Lists the valid access tokens, oldest first: at most 100.",
    handle: (_, engine) => validTokens(engine),
  },
  "POST /tokens": {
    summary: "Issues an access token; by default an organization access token with every scope.",
    body: "`type`, `scopes`, `organization`, `user`, `expiresIn` (seconds) and `token`, all optional.",
    example: { type: "oat", scopes: ["events:write"], expiresIn: 3600 },
    status: 201,
    handle: ({ body }, { mock }) => ({ token: mock.issueToken(body) }),
  },
  "POST /tokens/revoke": {
    summary: "Revokes an access token.",
    body: "The access token, in `token`.",
    example: { token: "billing_oat_…" },
    handle: ({ body }, { mock }) => mock.revokeToken((body as { readonly token: string }).token),
  },
  "GET /versions": {
    summary: "Returns the names of the supported versions.",
    handle: (_, { mock }) => mock.versions,
  },
  "POST /release": {
    summary: "Simulates a quarterly release, and returns the versions that are supported after it.",
    handle: (_, { mock }) => mock.release(),
  },
  "GET /clock": {
    summary: "Returns the current time of the mock.",
    handle: (_, { mock }) => clockTime(mock.clock.now()),
  },
  "POST /clock/advance": {
    summary: "Advances the clock, and waits until everything that becomes due in this time has happened.",
    body: "`days`, `hours`, `minutes`, `seconds` and `milliseconds`, which are added up, or a moment in `to`.",
    example: { minutes: 20 },
    handle: async ({ body }, { mock }) => clockTime(await mock.clock.advance(body)),
  },
  ...recordRoutes("organizations", "organization", { name: "Acme" }),
  ...recordRoutes("users", "user", { email: "ada@acme.example" }),
  ...recordRoutes("customers", "customer", { name: "Acme", email: "ada@acme.example" }),
  ...recordRoutes("oauthClients", "OAuth client", { client_name: "Dashboard" }),
  ...recordRoutes("products", "product", { name: "Starter" }),
  ...recordRoutes("webhookEndpoints", "webhook endpoint", {
    url: "http://localhost:3000/webhooks",
    events: ["order.paid"],
  }),
  ...readRoutes("/events", "usage event", ({ mock }) => mock.events),
  "POST /webhooks/emit": {
    summary:
      "Emits a webhook event to the endpoints of an organization that are subscribed to its type, and returns one event for each.",
    body: "The event `type`, its `data`, and optionally the id of the `organization`.",
    example: { type: "order.paid", data: { id: "1dbfc517-0bbf-4301-9ba8-555ca42b9737" } },
    status: 201,
    handle: ({ body }, { mock }) => {
      const { type, data, ...options } = body as { readonly type: string; readonly data: unknown };
      return mock.webhooks.emit(type, data, options);
    },
  },
  "POST /webhooks/events/{id}/redeliver": {
    summary: "Delivers an event again, with the same payload and version and a new timestamp and signature.",
    handle: ({ id }, { mock }) => mock.webhooks.redeliver(id),
  },
  "POST /webhooks/idle": {
    summary: "Waits until every delivery that is due has been sent.",
    handle: (_, { mock }) => mock.webhooks.idle(),
  },
  ...readRoutes("/webhooks/events", "webhook event", ({ mock }) => mock.webhooks.events),
  ...readRoutes("/webhooks/deliveries", "delivery attempt", ({ mock }) => mock.webhooks.deliveries),
  "POST /faults": {
    summary: "Adds a fault, which makes matching requests fail or sends them any answer.",
    body: "`operation`, `status`, `headers`, `body`, `delay` (milliseconds), `retryAfter` (seconds), `kind`, `skip`, `times` and `probability`.",
    example: { operation: "events:ingest", status: 503, retryAfter: 1, times: 1 },
    status: 201,
    handle: ({ body }, { mock }) => mock.fault(body),
  },
  "GET /faults": { summary: "Lists the active faults.", handle: (_, { mock }) => mock.faults.list() },
  "DELETE /faults/{id}": { summary: "Removes a fault.", handle: ({ id }, { mock }) => mock.faults.remove(id) },
  "DELETE /faults": { summary: "Removes every fault.", handle: (_, { mock }) => mock.faults.clear() },
  "GET /requests": {
    summary: "Lists the requests that match every given parameter, oldest first.",
    query: {
      operation: "The id of the operation, for example `events:ingest`.",
      method: "The HTTP method.",
      path: "The path below the base URL.",
      status: "The status of the response.",
      version: "The version that processed the request.",
      newest: "The maximum number of requests, of which the newest are returned.",
    } satisfies Readonly<Record<keyof RequestFilter | "newest", string>>,
    handle: ({ query: { newest, status, ...filter } }, { mock }) => {
      if (newest !== undefined && !/^[1-9]\d*$/.test(newest))
        throw new TypeError(`\`newest\` must be a number of requests; received "${newest}".`);
      const found = mock.requests.list({
        ...filter,
        ...(status !== undefined && { status: Number(status) }),
      } as object);
      return newest === undefined ? found : found.slice(-Number(newest));
    },
  },
  "DELETE /requests": { summary: "Clears the journal.", handle: (_, { mock }) => mock.requests.clear() },
  "GET /revision": {
    summary: "Returns a `revision` that differs after each change of the mock's state, faults or journal.",
    handle: (_, { revision }) => ({ revision }),
  },
};

const MAX_TOKENS = 100;

/** The oldest valid tokens: a server issues those that it prints before all others. */
function validTokens({ state: { clock, tables } }: Engine) {
  const valid = tables.credentials.list().filter(({ revoked, expires_at }) => {
    return !revoked && (expires_at === null || expires_at > clock.now());
  });
  return valid.slice(0, MAX_TOKENS).map(({ token, type, scopes }) => ({ token, type, scopes }));
}

/** A time, in the form of the service. */
function clockTime(now: Date): { readonly now: string } {
  return { now: formatTimestamp(now.getTime()) };
}
