/**
 * Measures sending usage events, beside the queues of other packages: `npm run bench -- usage`.
 *
 * Events are awaited one by one in a buffer, or sent by hand and with `ingestAll`, in batches of 500. The global `fetch` only
 * counts them, so that the package alone uses the CPU. To simulate an outage, it returns a 503 for three seconds when half of
 * the events are stored.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BillingClient, createClient, type Event } from "#current";
import { createEventBuffer, ingestAll, type Outbox } from "../src/usage/index.ts";
import { sqliteOutbox } from "../src/usage/sqlite.ts";
import { CURRENT } from "../test/support/versions.ts";
import { compare, scaled } from "./harness.ts";
import { installPeers } from "./programs.ts";

const EVENTS = scaled(20_000, 2_000);
const BATCH = 500;
const OUTAGE = 3_000;

const folder = mkdtempSync(join(tmpdir(), "bench-usage-"));
let files = 0;
const inFile = () => sqliteOutbox(join(folder, `${files++}.db`));

function eventOf(index: number): Event {
  const metadata = { model: "small", tokens: index % 1000, region: "eu-central-1", tier: "pro", cached: false };
  return { name: "llm.tokens", external_customer_id: `acme-${index % 500}`, external_id: `event-${index}`, metadata };
}

function* events(): Generator<Event> {
  for (let index = 0; index < EVENTS; index++) yield eventOf(index);
}

async function byHand(billing: BillingClient): Promise<void> {
  for (let sent = 0; sent < EVENTS; sent += BATCH)
    await billing.events.ingest(Array.from({ length: BATCH }, (_, index) => eventOf(sent + index)));
}

async function buffered(billing: BillingClient, outbox?: Outbox): Promise<void> {
  const usage = createEventBuffer(billing, { outbox, logLevel: "off" });
  for (const event of events()) await usage.add(event);
  await usage.close({ timeout: 600_000 });
}

/** The name of an event's identifier, here and in the other packages. */
const ID = /"(?:external_id|messageId|uuid)":/;

/** Creates a service that counts events, and can be down for a time after half of them. */
function service(outage: number) {
  const state = { stored: 0, backAt: Number.POSITIVE_INFINITY, lastAt: 0 };
  const headers = { "content-type": "application/json", "service-version": CURRENT };
  globalThis.fetch = async (input, { body } = {}) => {
    if (outage > 0 && state.stored >= EVENTS / 2 && state.backAt === Number.POSITIVE_INFINITY)
      state.backAt = performance.now() + outage;
    if (Number.isFinite(state.backAt) && performance.now() < state.backAt)
      return Response.json({ error: "ServiceUnavailable", detail: "down" }, { status: 503, headers });
    const text = input instanceof Request ? await input.text() : String(body);
    const inserted = text.split(ID).length - 1;
    Object.assign(state, { stored: state.stored + inserted, lastAt: performance.now() });
    return new Response(`{"inserted":${inserted},"duplicates":0,"status":1}`, { headers });
  };
  const billing = createClient({
    accessToken: "a-token-for-benchmarks",
    baseUrl: "http://127.0.0.1:9",
    logLevel: "off",
  });
  return { billing, state };
}

type Send = (billing: BillingClient) => Promise<unknown>;

const measure = (send: Send) => async () => {
  const { billing, state } = service(0);
  const [started, cpu] = [performance.now(), process.cpuUsage()];
  await send(billing);
  const { user, system } = process.cpuUsage(cpu);
  if (state.stored !== EVENTS) throw new Error(`${state.stored} of ${EVENTS} events were stored.`);
  return [(EVENTS / (performance.now() - started)) * 1_000, (user + system) / EVENTS];
};

const afterOutage = (send: Send) => async () => {
  const { billing, state } = service(OUTAGE);
  await send(billing);
  if (state.stored !== EVENTS) throw new Error(`${state.stored} of ${EVENTS} events were stored.`);
  return [(state.lastAt - state.backAt) / 1_000];
};

const buffers = {
  "a buffer in memory": (billing: BillingClient) => buffered(billing),
  "a buffer in SQLite": (billing: BillingClient) => buffered(billing, inFile()),
};
await installPeers();
const { peers } = (await import(new URL("peers/usage.mjs", import.meta.url).href)) as {
  readonly peers: Readonly<Record<string, (events: Iterable<Event>) => Promise<unknown>>>;
};
await compare({
  metrics: [
    { title: "sending usage events", unit: "events/s", more: true },
    { title: "CPU time per usage event", unit: "µs" },
  ],
  cases: {
    "direct calls, 500 events each": measure(byHand),
    ingestAll: measure((billing) => ingestAll(billing, events(), { logLevel: "off" })),
    ...Object.fromEntries(Object.entries(buffers).map(([name, send]) => [name, measure(send)])),
    ...Object.fromEntries(Object.entries(peers).map(([name, send]) => [name, measure(() => send(events()))])),
  },
});
await compare({
  metrics: [{ title: "from the end of an outage of 3 s until every event is stored", unit: "s" }],
  cases: Object.fromEntries(Object.entries(buffers).map(([name, send]) => [name, afterOutage(send)])),
});
rmSync(folder, { recursive: true });
