import { type AssumptionChoices, changedAssumptions } from "../assumptions/assumptions.ts";
import type { ClockAdvance } from "../clock/advance.ts";
import { formatTimestamp } from "../clock/clock.ts";
import { sleep } from "../clock/timers.ts";
import type { FaultInput } from "../faults/faults.ts";
import { toRecordedRequest } from "../journal/journal.ts";
import type { RequestFilter } from "../journal/requests.ts";
import type { TokenInput } from "../state/tokens.ts";
import type { EmitOptions } from "../webhooks/emit.ts";
import { type CollectionName, collections } from "./collections.ts";
import { readRoutes, recordRoutes } from "./record-routes.ts";
import type { ControlContext, ControlRoute, RouteKey, WithBody, WithId, WithQuery } from "./route.ts";

const filterQuery: Readonly<Record<keyof RequestFilter, string>> = {
  operation: "The id of the operation, for example `events:ingest`.",
  method: "The HTTP method.",
  path: "The path below the base URL.",
  status: "The status of the response.",
  version: "The version that processed the request.",
};

/**
 * Every operation of the control API, in the order of its documentation. The server serves and lists these routes, and
 * `connectMock`, the inspector and `billing trigger` call them with the types of their `handle`.
 */
export const routes = {
  "GET /about": {
    summary: "Returns the mock's base URLs, supported versions and assumptions, and the assumptions that were changed.",
    handle: (_, { mock: { baseUrls, versions, assumptions } }) => {
      return { baseUrls, versions, assumptions, changed: changedAssumptions(assumptions) };
    },
  },
  "GET /assumptions": {
    summary: "Returns the assumptions of the mock, where the specification leaves something open.",
    handle: (_, { mock }) => mock.assumptions,
  },
  "PUT /assumptions": {
    summary: "Replaces the assumptions, then resets the mock. Omitted assumptions return to their defaults.",
    body: "The assumptions that differ from the defaults, as in the file of `billing mock --assumptions`.",
    example: { maxBatchSize: 250 },
    handle: ({ body }: WithBody<AssumptionChoices>, { mock }) => mock.setAssumptions(body),
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
    handle: (_, { engine }) => validTokens(engine),
  },
  "POST /tokens": {
    summary: "Issues an access token; by default an organization access token with every scope.",
    body: "`type`, `scopes`, `organization`, `user`, `expiresIn` (seconds) and `token`, all optional.",
    example: { type: "oat", scopes: ["events:write"], expiresIn: 3600 },
    status: 201,
    handle: ({ body }: WithBody<TokenInput<string>>, { mock }) => ({ token: mock.issueToken(body) }),
  },
  "POST /tokens/revoke": {
    summary: "Revokes an access token.",
    body: "The access token, in `token`.",
    example: { token: "billing_oat_…" },
    handle: ({ body }: WithBody<{ readonly token: string }>, { mock }) => mock.revokeToken(body.token),
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
    handle: async ({ body }: WithBody<ClockAdvance>, { mock }) => clockTime(await mock.clock.advance(body)),
  },
  ...recordRoutes("organizations"),
  ...recordRoutes("users"),
  ...recordRoutes("customers"),
  ...recordRoutes("oauthClients"),
  ...recordRoutes("products"),
  ...recordRoutes("webhookEndpoints"),
  ...readRoutes("/events", "usage event", "events"),
  "GET /counts": {
    summary: "Counts the records of every collection, and the requests since the last reset.",
    handle: (_, { engine }) => countsOf(engine),
  },
  "POST /webhooks/emit": {
    summary:
      "Emits a webhook event to the endpoints of an organization that are subscribed to its type, and returns one event for each.",
    body: "The event `type`, its `data`, and optionally the id of the `organization`.",
    example: { type: "order.paid", data: { id: "1dbfc517-0bbf-4301-9ba8-555ca42b9737" } },
    status: 201,
    handle: ({ body: { type, data, ...options } }: WithBody<EmitRequest>, { mock }) =>
      mock.webhooks.emit(type, data, options),
  },
  "POST /webhooks/events/{id}/redeliver": {
    summary: "Delivers an event again, with the same payload and version and a new timestamp and signature.",
    handle: ({ id }: WithId, { mock }) => mock.webhooks.redeliver(id),
  },
  "POST /webhooks/idle": {
    summary: "Waits until every delivery that is due has been sent.",
    handle: (_, { mock }) => mock.webhooks.idle(),
  },
  ...readRoutes("/webhooks/events", "webhook event", "webhookEvents"),
  ...readRoutes("/webhooks/deliveries", "delivery attempt", "deliveries"),
  "POST /faults": {
    summary: "Adds a fault, which makes matching requests fail or sends them any answer.",
    body: "`operation`, `status`, `headers`, `body`, `delay` (milliseconds), `retryAfter` (seconds), `kind`, `skip`, `times` and `probability`.",
    example: { operation: "events:ingest", status: 503, retryAfter: 1, times: 1 },
    status: 201,
    handle: ({ body }: WithBody<FaultInput<string>>, { mock }) => mock.fault(body),
  },
  "GET /faults": { summary: "Lists the active faults.", handle: (_, { mock }) => mock.faults.list() },
  "DELETE /faults/{id}": {
    summary: "Removes a fault.",
    handle: ({ id }: WithId, { mock }) => mock.faults.remove(id),
  },
  "DELETE /faults": { summary: "Removes every fault.", handle: (_, { mock }) => mock.faults.clear() },
  "GET /requests": {
    summary: "Lists the requests that match every given parameter, oldest first.",
    query: { ...filterQuery, after: "The id of the request before the first one to return." },
    handle: ({ query: { after = "0", ...filter } }: WithQuery<keyof RequestFilter | "after">, { engine }) => {
      if (!/^\d+$/.test(after)) throw new TypeError(`after must be the id of a request, not "${after}".`);
      const found = engine.handler.journal.entries(filterFrom(filter));
      return found.filter(({ id }) => id > Number(after)).map(toRecordedRequest);
    },
  },
  "GET /requests/last": {
    summary: "Returns the newest request that matches every given parameter.",
    query: filterQuery,
    optional: true,
    handle: ({ query }: WithQuery<keyof RequestFilter>, { mock }) => mock.requests.last(filterFrom(query)),
  },
  "DELETE /requests": { summary: "Clears the journal.", handle: (_, { mock }) => mock.requests.clear() },
  "GET /changes": {
    summary: "Returns a revision that changes with the state of the mock, its faults and its journal.",
    query: {
      since: "The `revision` of an earlier response, to wait until it differs.",
      wait: "The maximum time to wait, in milliseconds, up to 30,000; by default the response is immediate.",
    },
    handle: ({ query: { since, wait } }: WithQuery<"since" | "wait">, context) => changes(since, wait, context),
  },
} satisfies Readonly<Record<RouteKey, ControlRoute>> &
  Readonly<Record<`POST ${(typeof collections)[CollectionName]["path"]}`, ControlRoute>>;

/** The routes of the control API, for the types of its callers. */
export type ControlRoutes = typeof routes;

/** An event to emit. */
export interface EmitRequest extends EmitOptions {
  readonly type: string;
  readonly data: unknown;
}

const MAX_TOKENS = 100;

/** The oldest valid tokens: a server issues those that it prints before all others. */
function validTokens({ state: { clock, tables } }: ControlContext["engine"]) {
  const valid = tables.credentials.list().filter(({ revoked, expires_at }) => {
    return !revoked && (expires_at === null || expires_at > clock.now());
  });
  return valid.slice(0, MAX_TOKENS).map(({ token, type, scopes }) => ({ token, type, scopes }));
}

/** A time, in the form of the service. */
function clockTime(now: Date): { readonly now: string } {
  return { now: formatTimestamp(now.getTime()) };
}

function filterFrom({ status, ...filter }: WithQuery<keyof RequestFilter>["query"]): RequestFilter<string> {
  if (status === undefined) return filter;
  // The journal rejects a status that is not a number, and shows it.
  return { ...filter, status: Number.isNaN(Number(status)) ? (status as never) : Number(status) };
}

const COUNTED = [
  ...(Object.keys(collections) as CollectionName[]),
  ...(["events", "webhookEvents", "deliveries"] as const),
] as const;

function countsOf({ state: { tables }, handler }: ControlContext["engine"]) {
  const counts = Object.fromEntries(COUNTED.map((name) => [name, tables[name].size]));
  return { ...(counts as Readonly<Record<(typeof COUNTED)[number], number>>), requests: handler.journal.count };
}

const LOOK_EVERY = 100;
const MAX_WAIT = 30_000;

/** Waits until the mock changes. It compares when it is asked, so a mock without watchers pays nothing. */
async function changes(since: string | undefined, wait: string | undefined, { engine, signal }: ControlContext) {
  if (!/^\d+$/.test(wait ?? "0")) throw new TypeError(`wait must be a number of milliseconds, not "${wait}".`);
  const until = performance.now() + Math.min(Number(wait ?? 0), MAX_WAIT);
  while (engine.revision === since && performance.now() < until && !signal.aborted) {
    await sleep(LOOK_EVERY, signal).catch(() => {});
  }
  return { revision: engine.revision };
}
