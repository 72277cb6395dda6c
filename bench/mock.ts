/**
 * Measures the in-process mock: `npm run bench -- mock`.
 *
 * A read and an ingest, with all rules and the journal, beside a handler without rules that returns the same bytes:
 * called directly through `mock.fetch`.
 */

import { VERSION as CURRENT } from "#current/names";
import { createMock } from "../mock/index.ts";
import { compare, perSecond, scaled } from "./harness.ts";

const CALLS = scaled(20_000);

/** Sends a request, and reads the response. */
type CallOnce = (send: typeof fetch) => Promise<unknown>;

const mock = createMock();
const [base] = mock.baseUrls;
const { id } = mock.webhookEndpoints.create();
const endpoint = JSON.stringify(mock.webhookEndpoints.get(id));
const headers = { authorization: `Bearer ${mock.issueToken()}`, "content-type": "application/json" };
const body = JSON.stringify({
  events: [{ name: "api.call", external_customer_id: "acme", external_id: "one", metadata: { pages: 3 } }],
});

const read: CallOnce = async (send) => (await send(`${base}/v1/webhooks/endpoints/${id}`, { headers })).json();
const ingest: CallOnce = async (send) =>
  (await send(`${base}/v1/events/ingest`, { method: "POST", headers, body })).json();

await measure("reading an endpoint", read);
await measure("ingesting an event", ingest);

async function measure(title: string, call: CallOnce): Promise<void> {
  const direct = (send: typeof fetch) => async () => [await perSecond(CALLS, () => call(send))];
  await compare({
    metrics: [{ title, unit: "requests/s", more: true }],
    cases: {
      "a handler without rules": direct(async (input, init) => answer(new Request(input, init))),
      "mock.fetch": direct(mock.fetch),
    },
  });
}

async function answer(request: Request): Promise<Response> {
  const version = request.headers.get("service-version") ?? CURRENT;
  const json = request.method === "GET" ? endpoint : stored(await request.json());
  return new Response(json, { headers: { "Content-Type": "application/json", "Service-Version": version } });
}

function stored(input: unknown): string {
  return JSON.stringify({ inserted: 0, duplicates: (input as { readonly events: readonly unknown[] }).events.length });
}
