/**
 * Measures the in-process mock: `npm run bench:mock`.
 *
 * Compares a read and an ingest through `mock.fetch`, with all rules and the journal, to a handler without rules that
 * returns the same bytes. Also measures creating and restoring a snapshot of small and large states.
 */
import { createMock, type Mock } from "../mock/index.ts";

const ROUNDS = 7;
const CALLS = 20_000;

type CallOnce = () => Promise<unknown>;

interface Case {
  readonly mock: CallOnce;
  readonly bare: CallOnce;
}

async function perSecond(call: CallOnce): Promise<number> {
  const started = performance.now();
  for (let i = 0; i < CALLS; i++) await call();
  return (CALLS * 1000) / (performance.now() - started);
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

async function compare(name: string, { mock, bare }: Case): Promise<void> {
  const ratios: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const [first, second] = round % 2 === 0 ? [mock, bare] : [bare, mock];
    const [a, b] = [await perSecond(first), await perSecond(second)];
    if (round > 0) ratios.push(round % 2 === 0 ? a / b : b / a);
  }
  console.log(`${name}: ${median(ratios).toFixed(2)} of a handler without rules`);
}

function readCase(mock: Mock): Case {
  const url = `${mock.baseUrls[0]}/v1/webhooks/endpoints/${mock.webhookEndpoints.create().id}`;
  const headers = { authorization: `Bearer ${mock.issueToken()}` };
  const bytes = JSON.stringify(mock.webhookEndpoints.list()[0]);
  return {
    mock: async () => (await mock.fetch(new Request(url, { headers }))).json(),
    bare: async () => answer(new Request(url, { headers }), bytes).json(),
  };
}

function ingestCase(mock: Mock): Case {
  const url = `${mock.baseUrls[0]}/v1/events/ingest`;
  const headers = { authorization: `Bearer ${mock.issueToken()}`, "content-type": "application/json" };
  const event = { name: "api.call", external_customer_id: "acme", external_id: "one", metadata: { pages: 3 } };
  const body = JSON.stringify({ events: [event] });
  const request = () => new Request(url, { method: "POST", headers, body });
  return {
    mock: async () => (await mock.fetch(request())).json(),
    bare: async () => {
      const asked = request();
      const { events } = (await asked.json()) as { readonly events: readonly unknown[] };
      return answer(asked, JSON.stringify({ inserted: 0, duplicates: events.length })).json();
    },
  };
}

function answer({ headers }: Request, json: string): Response {
  const version = headers.get("service-version") ?? "2025-01";
  return new Response(json, { headers: { "Content-Type": "application/json", "Service-Version": version } });
}

/** Returns the time to create and restore a snapshot, in microseconds. */
async function snapshotTime(events: number): Promise<number> {
  const mock = createMock();
  const headers = { authorization: `Bearer ${mock.issueToken()}`, "content-type": "application/json" };
  const batch = Array.from({ length: events }, () => ({ name: "api.call", external_customer_id: "acme" }));
  const body = JSON.stringify({ events: batch });
  await mock.fetch(`${mock.baseUrls[0]}/v1/events/ingest`, { method: "POST", headers, body });
  const started = performance.now();
  for (let i = 0; i < 1000; i++) mock.restore(mock.snapshot());
  return performance.now() - started;
}

await compare("read an endpoint", readCase(createMock()));
await compare("ingest an event", ingestCase(createMock()));
for (const events of [10, 1_000, 50_000]) {
  console.log(`snapshot and restore with ${events} events: ${(await snapshotTime(events)).toFixed(1)} µs`);
}
