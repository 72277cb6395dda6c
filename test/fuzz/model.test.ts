import fc from "fast-check";
import { expect, it } from "vitest";
import { createMock, type EmittedEvent, type Mock, type StoredWebhookEndpoint } from "../../mock/index.ts";
import { NOBODY } from "../support/samples.ts";
import { patient, times } from "./parameters.ts";

/** The part of the model that a snapshot contains: fields of the mock's records. */
interface State {
  readonly endpoints: readonly Pick<StoredWebhookEndpoint, "id" | "events" | "enabled" | "name" | "api_version">[];
  /** The number of usage events, and their external ids. */
  readonly stored: number;
  readonly externalIds: readonly string[];
  readonly emitted: readonly Pick<EmittedEvent, "id" | "endpoint_id" | "api_version" | "attempts">[];
  /** The indexes of the revoked tokens. */
  readonly revoked: readonly number[];
  readonly versions: readonly string[];
}

/** The simplest model of the service. The mock must match it after every step. */
interface Model {
  state: State;
  faults: { readonly status: number; skip: number; times: number }[];
  readonly snapshots: State[];
}

/** The mock, and the values that the steps need. */
interface Real {
  readonly mock: Mock;
  readonly tokens: readonly string[];
  readonly snapshots: ReturnType<Mock["snapshot"]>[];
  /** The deliveries that the receiver got, in order: the id of the event and the body. */
  readonly received: { readonly id: string; readonly body: string }[];
}

const RECEIVER = "https://app.example/hook";
const ENDPOINTS = "/v1/webhooks/endpoints";
const INGEST = "POST /v1/events/ingest";
const TYPES = ["order.paid", "order.refunded", "product.created"] as const;
const TOKENS = [0, 1, 2] as const;

/** Creates a mock and its model. */
function beginning(): { model: Model; real: Real } {
  const mock = createMock({ seed: 1 });
  const received: Real["received"] = [];
  mock.webhooks.receive(RECEIVER, async (request) => {
    received.push({ id: String(request.headers.get("webhook-id")), body: await request.text() });
    return new Response();
  });
  const { deprecated, current, next } = mock.versions;
  const versions = [deprecated, current, next];
  const state = { endpoints: [], stored: 0, externalIds: [], emitted: [], revoked: [], versions };
  const real = { mock, tokens: TOKENS.map(() => mock.issueToken()), snapshots: [], received };
  return { model: { state, faults: [], snapshots: [] }, real };
}

/** Returns the fault that applies to the next request. Faults that still skip requests count it. */
function strike(model: Model): number | undefined {
  let status: number | undefined;
  for (const fault of model.faults) {
    if (fault.skip > 0) fault.skip -= 1;
    else if (status === undefined) {
      status = fault.status;
      fault.times -= 1;
    }
  }
  model.faults = model.faults.filter(({ times }) => times > 0);
  return status;
}

/**
 * Sends a request with a token, and compares its status with the model. A fault determines the status, then a revoked token
 * (401), then the operation. Returns the response body if the operation ran.
 */
async function ask(model: Model, { mock, tokens }: Real, line: string, token: number, json: unknown, expected: number) {
  const hits = strike(model);
  const revoked = model.state.revoked.includes(token);
  const [method = "", path = ""] = line.split(" ");
  const headers = { Authorization: `Bearer ${tokens[token]}`, "Content-Type": "application/json" };
  const response = await mock.fetch(mock.baseUrls[0] + path, { method, headers, body: JSON.stringify(json) });
  expect(response.status).toBe(hits ?? (revoked ? 401 : expected));
  expect(response.headers.get("service-version")).toBe(model.state.versions[1]);
  const text = await response.text();
  return hits === undefined && !revoked ? (JSON.parse(text) as Readonly<Record<string, unknown>>) : undefined;
}

/** Compares the visible state of the mock with the model. */
function expectSame({ state, faults }: Model, { mock }: Real): void {
  expect(mock.webhookEndpoints.list()).toMatchObject(state.endpoints);
  expect(mock.events.size).toBe(state.stored);
  expect(mock.events.list().flatMap(({ external_id }) => external_id ?? [])).toEqual(state.externalIds);
  expect(mock.webhooks.events.list()).toMatchObject(state.emitted);
  expect(mock.webhooks.deliveries.size).toBe(state.emitted.reduce((sum, { attempts }) => sum + attempts, 0));
  expect(Object.values(mock.versions)).toEqual(state.versions);
  expect(mock.faults.list().map(({ status }) => status)).toEqual(faults.map(({ status }) => status));
}

/**
 * Generates a step, which prints what it does. The step changes the mock, and returns the fields that change in the model's
 * state.
 */
function command<Given>(
  name: string,
  given: fc.Arbitrary<Given>,
  step: (model: Model, real: Real, given: Given) => Promise<Partial<State>> | Partial<State>,
) {
  return given.map(
    (value): fc.AsyncCommand<Model, Real> => ({
      check: () => true,
      run: async (model, real) => {
        const changed = await step(model, real, value);
        model.state = { ...model.state, ...changed };
        await real.mock.webhooks.idle();
        expectSame(model, real);
      },
      toString: () => `${name}(${fc.stringify(value)})`,
    }),
  );
}

const pick = fc.nat({ max: 5 });
const token = fc.constantFrom(...TOKENS);
const events = fc.subarray([...TYPES]);
const nothing = fc.constant(null);

const create = command("create", fc.record({ token, events, version: fc.option(pick) }), async (model, real, given) => {
  const { versions, endpoints } = model.state;
  const version = given.version === null ? undefined : versions[given.version % versions.length];
  const body = { url: RECEIVER, format: "raw", events: given.events, api_version: version };
  const answer = await ask(model, real, `POST ${ENDPOINTS}`, given.token, body, 201);
  if (!answer) return {};
  const made = { id: String(answer["id"]), enabled: true, name: null, api_version: version ?? String(versions[1]) };
  return { endpoints: [...endpoints, { ...made, events: given.events }] };
});

const changes = fc.record(
  { name: fc.option(fc.string({ maxLength: 5 })), enabled: fc.boolean(), events },
  { requiredKeys: [] },
);

const update = command("update", fc.record({ token, pick, changes }), async (model, real, given) => {
  const { endpoints } = model.state;
  const endpoint = endpoints[given.pick % Math.max(endpoints.length, 1)];
  const line = `PATCH ${ENDPOINTS}/${endpoint?.id ?? NOBODY}`;
  if (!(await ask(model, real, line, given.token, given.changes, endpoint ? 200 : 404)) || !endpoint) return {};
  const changed = { ...endpoint, ...(given.changes as Partial<typeof endpoint>) };
  return { endpoints: endpoints.map((each) => (each === endpoint ? changed : each)) };
});

const rejected = command("ingestRejected", token, async (model, real, token) => {
  await ask(model, real, INGEST, token, { events: [usageOf("new"), { name: "" }] }, 422);
  return {};
});

const batch = fc.array(fc.option(fc.constantFrom("a", "b", "c", "d", "e")), { maxLength: 6 });

const ingest = command("ingest", fc.record({ token, batch }), async (model, real, given) => {
  const answer = await ask(model, real, INGEST, given.token, { events: given.batch.map(usageOf) }, 200);
  if (!answer) return {};
  const { externalIds, stored } = model.state;
  const known = new Set(externalIds);
  const fresh = given.batch.filter((id) => id === null || (!known.has(id) && known.add(id)));
  expect(answer).toEqual({ inserted: fresh.length, duplicates: given.batch.length - fresh.length });
  return { stored: stored + fresh.length, externalIds: [...externalIds, ...fresh.filter((id) => id !== null)] };
});

function usageOf(external_id: string | null) {
  return { name: "call", external_customer_id: "acme", external_id: external_id ?? undefined };
}

const emit = command("emit", fc.constantFrom(...TYPES), ({ state: { endpoints, emitted } }, { mock }, type) => {
  const made = mock.webhooks.emit(type, { id: "1" });
  const due = endpoints.filter(({ enabled, events }) => enabled && events.includes(type));
  const fresh = due.map(({ id, api_version }, index) => {
    return { id: String(made[index]?.id), endpoint_id: id, api_version, attempts: 1 };
  });
  expect(made.map(({ endpoint_id }) => endpoint_id)).toEqual(due.map(({ id }) => id));
  return { emitted: [...emitted, ...fresh] };
});

const redeliver = command("redeliver", pick, async ({ state }, { mock: { webhooks }, received }, number) => {
  const { emitted, endpoints } = state;
  const event = emitted[number % Math.max(emitted.length, 1)];
  const open = event && endpoints.find(({ id }) => id === event.endpoint_id)?.enabled;
  if (!event || !open) {
    expect(() => webhooks.redeliver(event?.id ?? "none")).toThrow(TypeError);
    return {};
  }
  const sent = received.length;
  webhooks.redeliver(event.id);
  await webhooks.idle();
  const body = String(webhooks.events.get(event.id)?.body);
  expect(received.slice(sent)).toEqual([{ id: event.id, body }]);
  expect(JSON.parse(body).api_version).toBe(event.api_version);
  return { emitted: emitted.map((each) => (each === event ? { ...each, attempts: each.attempts + 1 } : each)) };
});

const release = command("release", nothing, ({ state: { versions } }, { mock }) => {
  const { current, next } = mock.release();
  const [, was, promised] = versions;
  expect([mock.versions.deprecated, current]).toEqual([was, promised]);
  expect(next > current).toBe(true);
  return { versions: [String(was), String(promised), next] };
});

const revoke = command("revoke", token, ({ state: { revoked } }, { mock, tokens }, number) => {
  mock.revokeToken(String(tokens[number]));
  return { revoked: [...revoked, number] };
});

const faults = fc.record({
  status: fc.constantFrom(500, 503),
  skip: fc.nat({ max: 2 }),
  times: fc.integer({ min: 1, max: 2 }),
});

const fault = command("fault", faults, (model, real, given) => {
  real.mock.fault(given);
  model.faults.push({ ...given });
  return {};
});

const snapshot = command("snapshot", nothing, (model, real) => {
  real.snapshots.push(real.mock.snapshot());
  model.snapshots.push(model.state);
  return {};
});

const restore = command("restore", pick, (model, real, number) => {
  const index = number % Math.max(real.snapshots.length, 1);
  const [saved, state] = [real.snapshots[index], model.snapshots[index]];
  if (saved) real.mock.restore(saved);
  return state ?? {};
});

const steps = [
  ...[create, create, update, rejected, ingest, ingest, emit, emit],
  ...[redeliver, release, revoke, fault, snapshot, restore],
];

it("any sequence of steps leaves the mock in the state of a simple model", patient, async () => {
  const sequences = fc.commands(steps, { maxCommands: 40, size: "max" });
  const check = fc.asyncProperty(sequences, (commands) => fc.asyncModelRun(beginning, commands));
  await fc.assert(check, times(150));
});
