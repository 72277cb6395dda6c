import fc from "fast-check";
import { expect } from "vitest";
import { type Model, type ModelEndpoint, RECEIVER, type Real, TOKENS } from "./model.ts";
import { ask, expectSame } from "./requests.ts";

/** Applies a step to the mock and to the model, then compares them. */
type Step<Given> = (model: Model, real: Real, given: Given) => Promise<void> | void;

/** Generates commands for fast-check, which print what they do. */
function command<Given>(name: string, given: fc.Arbitrary<Given>, step: Step<Given>) {
  return given.map(
    (value): fc.AsyncCommand<Model, Real> => ({
      check: () => true,
      run: async (model, real) => {
        await step(model, real, value);
        await real.mock.webhooks.idle();
        expectSame(model, real);
      },
      toString: () => `${name}(${fc.stringify(value)})`,
    }),
  );
}

const TYPES = ["order.paid", "order.refunded", "product.created"] as const;
const pick = fc.nat({ max: 5 });
const token = fc.nat({ max: TOKENS - 1 });
const events = fc.subarray([...TYPES]);
const ENDPOINTS = "/v1/webhooks/endpoints";

const create = command("create", fc.record({ token, events, version: fc.option(pick) }), async (model, real, given) => {
  const { versions } = model.state;
  const version = given.version === null ? undefined : versions[given.version % versions.length];
  const body = { url: RECEIVER, format: "raw", events: given.events, ...(version && { api_version: version }) };
  const answer = await ask(model, real, { line: `POST ${ENDPOINTS}`, token: given.token, body }, 201);
  if (!answer) return;
  const id = String(answer["id"]);
  const made = { id, events: given.events, enabled: true, name: null, version: version ?? String(versions[1]) };
  model.state = { ...model.state, endpoints: [...model.state.endpoints, made] };
});

const changes = fc.record(
  { name: fc.option(fc.string({ maxLength: 5 })), enabled: fc.boolean(), events },
  { requiredKeys: [] },
);

const update = command("update", fc.record({ token, pick, changes }), async (model, real, given) => {
  const { endpoints } = model.state;
  const endpoint = endpoints[given.pick % Math.max(endpoints.length, 1)];
  const asked = { line: `PATCH ${ENDPOINTS}/${endpoint?.id ?? UNUSED}`, token: given.token, body: given.changes };
  if (!(await ask(model, real, asked, endpoint ? 200 : 404)) || !endpoint) return;
  const changed = { ...endpoint, ...(given.changes as Partial<ModelEndpoint>) };
  model.state = { ...model.state, endpoints: endpoints.map((each) => (each === endpoint ? changed : each)) };
});

const UNUSED = "00000000-0000-4000-8000-000000000000";

const rejected = command("ingestRejected", token, async (model, real, token) => {
  const body = { events: [{ name: "call", external_customer_id: "acme", external_id: "new" }, { name: "" }] };
  await ask(model, real, { line: "POST /v1/events/ingest", token, body }, 422);
});

const batch = fc.array(fc.option(fc.constantFrom("a", "b", "c", "d", "e")), { maxLength: 6 });

const ingest = command("ingest", fc.record({ token, batch }), async (model, real, given) => {
  const body = { events: given.batch.map(usageOf) };
  const answer = await ask(model, real, { line: "POST /v1/events/ingest", token: given.token, body }, 200);
  if (!answer) return;
  const { externalIds, stored } = model.state;
  const known = new Set(externalIds);
  const fresh = given.batch.filter((id) => id === null || (!known.has(id) && known.add(id)));
  expect(answer).toEqual({ inserted: fresh.length, duplicates: given.batch.length - fresh.length });
  const ids = [...externalIds, ...fresh.filter((id) => id !== null)];
  model.state = { ...model.state, stored: stored + fresh.length, externalIds: ids };
});

function usageOf(id: string | null) {
  return { name: "call", external_customer_id: "acme", ...(id !== null && { external_id: id }) };
}

const emit = command("emit", fc.constantFrom(...TYPES), async (model, real, type) => {
  const made = real.mock.webhooks.emit(type, { id: "1" });
  const due = model.state.endpoints.filter(({ enabled, events }) => enabled && events.includes(type));
  expect(made.map(({ endpoint_id }) => endpoint_id)).toEqual(due.map(({ id }) => id));
  const fresh = due.map(({ id: endpoint, version }, index) => {
    return { id: String(made[index]?.id), endpoint, version, attempts: 1 };
  });
  model.state = { ...model.state, emitted: [...model.state.emitted, ...fresh] };
});

const redeliver = command("redeliver", pick, async (model, real, number) => {
  const { emitted, endpoints } = model.state;
  const event = emitted[number % Math.max(emitted.length, 1)];
  const open = event && endpoints.find(({ id }) => id === event.endpoint)?.enabled;
  if (!event || !open) {
    expect(() => real.mock.webhooks.redeliver(event?.id ?? "none")).toThrow(TypeError);
    return;
  }
  const sent = real.received.length;
  real.mock.webhooks.redeliver(event.id);
  await real.mock.webhooks.idle();
  const body = String(real.mock.webhooks.events.get(event.id)?.body);
  expect(real.received.slice(sent)).toEqual([{ id: event.id, body }]);
  expect(JSON.parse(body).api_version).toBe(event.version);
  const again = emitted.map((each) => (each === event ? { ...each, attempts: each.attempts + 1 } : each));
  model.state = { ...model.state, emitted: again };
});

const release = command("release", fc.constant(null), (model, real) => {
  const { current, next } = real.mock.release();
  const [, was, promised] = model.state.versions;
  expect([real.mock.versions.deprecated, current]).toEqual([was, promised]);
  expect(next > current).toBe(true);
  model.state = { ...model.state, versions: [String(was), String(promised), next] };
});

const revoke = command("revoke", token, (model, real, number) => {
  real.mock.revokeToken(String(real.tokens[number]));
  model.state = { ...model.state, revoked: [...new Set([...model.state.revoked, number])] };
});

const faults = fc.record({
  status: fc.constantFrom(500, 503),
  skip: fc.nat({ max: 2 }),
  times: fc.integer({ min: 1, max: 2 }),
});

const fault = command("fault", faults, (model, real, given) => {
  real.mock.fault(given);
  model.faults.push({ ...given });
});

const snapshot = command("snapshot", fc.constant(null), (model, real) => {
  real.snapshots.push(real.mock.snapshot());
  model.snapshots.push(model.state);
});

const restore = command("restore", pick, (model, real, number) => {
  const index = number % Math.max(real.snapshots.length, 1);
  const [saved, state] = [real.snapshots[index], model.snapshots[index]];
  if (!saved || !state) return;
  real.mock.restore(saved);
  model.state = state;
});

/** Every kind of step. */
export const steps = [
  ...[create, create, update, rejected, ingest, ingest, emit, emit],
  ...[redeliver, release, revoke, fault, snapshot, restore],
];
