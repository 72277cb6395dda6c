/**
 * Measures sending usage events through a buffer: `npm run bench -- usage`.
 *
 * Direct calls of `events.ingest` with batches of 500, beside a buffer with an outbox in memory and one in SQLite, to which
 * groups of 100 events are added and awaited. All go to `mock.fetch`.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type BillingClient, createClient, type Event } from "#current";
import { createMock } from "../mock/index.ts";
import { createEventBuffer, type Outbox } from "../src/usage/index.ts";
import { sqliteOutbox } from "../src/usage/sqlite.ts";
import { compare, scaled } from "./harness.ts";

const EVENTS = scaled(100_000, 10_000);
const BATCH = 500;
const GROUP = 100;

const folder = mkdtempSync(join(tmpdir(), "bench-usage-"));
let files = 0;

type Send = (billing: BillingClient) => Promise<void>;

function eventOf(index: number): Event {
  const metadata = { model: "small", tokens: index % 1000 };
  return { name: "api.call", external_customer_id: "acme", external_id: `event-${index}`, metadata };
}

async function sendDirectly(billing: BillingClient): Promise<void> {
  for (let sent = 0; sent < EVENTS; sent += BATCH) {
    await billing.events.ingest(Array.from({ length: BATCH }, (_, index) => eventOf(sent + index)));
  }
}

async function sendThroughBuffer(billing: BillingClient, outbox?: Outbox): Promise<void> {
  const usage = createEventBuffer(billing, { outbox });
  for (let added = 0; added < EVENTS; added += GROUP) {
    await Promise.all(Array.from({ length: GROUP }, (_, index) => usage.add(eventOf(added + index))));
  }
  await usage.close({ timeout: 600_000 });
}

const measure = (send: Send) => async () => {
  const mock = createMock();
  const billing = createClient({ accessToken: mock.issueToken(), fetch: mock.fetch });
  const started = performance.now();
  await send(billing);
  const seconds = (performance.now() - started) / 1000;
  if (mock.events.size !== EVENTS) throw new Error(`${mock.events.size} of ${EVENTS} events were stored.`);
  return [EVENTS / seconds];
};

await compare({
  metrics: [{ title: "sending usage events to the mock", unit: "events/s", more: true }],
  cases: {
    "direct calls, 500 events each": measure(sendDirectly),
    "a buffer in memory": measure(sendThroughBuffer),
    "a buffer in SQLite": measure((billing) => sendThroughBuffer(billing, sqliteOutbox(join(folder, `${files++}.db`)))),
  },
});
rmSync(folder, { recursive: true });
