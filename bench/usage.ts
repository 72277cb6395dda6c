/**
 * Measures sending usage events through a buffer: `npm run bench:usage`.
 *
 * Direct calls of `events.ingest` with batches of 500, beside a buffer with an outbox in memory and one in SQLite, to which
 * groups of 100 events are added and awaited. All go to `mock.fetch`.
 *
 * `npm run bench:usage -- --memory` sends 5 million events through each buffer, and prints the memory of the process;
 * `--memory sqlite` only through that one.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMock } from "../mock/index.ts";
import { createEventBuffer, type Outbox } from "../src/usage/index.ts";
import { sqliteOutbox } from "../src/usage/sqlite.ts";
import { type BillingClient, createClient, type Event } from "../versions/2025-01/index.ts";
import { compare, scaled } from "./harness.ts";

const EVENTS = scaled(100_000, 10_000);
const MANY_EVENTS = 5_000_000;
const BATCH = 500;
const GROUP = 100;

const folder = mkdtempSync(join(tmpdir(), "bench-usage-"));
let files = 0;

type Send = (billing: BillingClient, events: number) => Promise<void>;

const inMemory: Send = (billing, events) => sendThroughBuffer(billing, events);
const inSqlite: Send = (billing, events) =>
  sendThroughBuffer(billing, events, sqliteOutbox(join(folder, `${files++}.db`)));

const BUFFERS: Readonly<Record<string, Send>> = { memory: inMemory, sqlite: inSqlite };

function eventOf(index: number): Event {
  const metadata = { model: "small", tokens: index % 1000 };
  return { name: "api.call", external_customer_id: "acme", external_id: `event-${index}`, metadata };
}

async function sendDirectly(billing: BillingClient, events: number): Promise<void> {
  for (let sent = 0; sent < events; sent += BATCH) {
    await billing.events.ingest(Array.from({ length: BATCH }, (_, index) => eventOf(sent + index)));
  }
}

async function sendThroughBuffer(billing: BillingClient, events: number, outbox?: Outbox): Promise<void> {
  const usage = createEventBuffer(billing, { outbox });
  for (let added = 0; added < events; added += GROUP) {
    await Promise.all(Array.from({ length: GROUP }, (_, index) => usage.add(eventOf(added + index))));
  }
  await usage.close({ timeout: 600_000 });
}

const measure = (send: Send) => async () => {
  const mock = createMock();
  const billing = createClient({ accessToken: mock.issueToken(), fetch: mock.fetch });
  const started = performance.now();
  await send(billing, EVENTS);
  const seconds = (performance.now() - started) / 1000;
  if (mock.events.size !== EVENTS) throw new Error(`${mock.events.size} of ${EVENTS} events were stored.`);
  return [EVENTS / seconds];
};

async function compareBuffers(): Promise<void> {
  await compare({
    metrics: [{ title: "sending usage events to the mock", unit: "events/s", more: true }],
    cases: {
      "direct calls, 500 events each": measure(sendDirectly),
      "a buffer in memory": measure(inMemory),
      "a buffer in SQLite": measure(inSqlite),
    },
  });
}

/** Sends many events to a service that stores nothing, so that only the buffer could fill the memory. */
async function watchMemory(): Promise<void> {
  const samples: number[] = [];
  const fetch = async (request: Request): Promise<Response> => {
    samples.push(process.memoryUsage.rss() / 1e6);
    const { events } = (await request.json()) as { readonly events: readonly unknown[] };
    const headers = { "content-type": "application/json", "service-version": "2025-01" };
    return new Response(JSON.stringify({ inserted: events.length, duplicates: 0 }), { headers });
  };
  const billing = createClient({ accessToken: "bench-token-0123456789", fetch });
  const only = process.argv.at(-1);
  for (const name of Object.keys(BUFFERS).filter((each) => each === only || only === "--memory")) {
    const started = performance.now();
    samples.length = 0;
    await BUFFERS[name]?.(billing, MANY_EVENTS);
    const tenths = Array.from({ length: 10 }, (_, tenth) => samples[Math.floor((samples.length * (tenth + 0.5)) / 10)]);
    const seconds = ((performance.now() - started) / 1000).toFixed(0);
    console.log(`${name}: ${MANY_EVENTS} events in ${seconds} s; MB over time: ${tenths.map((mb) => mb?.toFixed(0))}`);
  }
}

await (process.argv.includes("--memory") ? watchMemory() : compareBuffers());
rmSync(folder, { recursive: true });
