/**
 * Measures the in-process mock: `npm run bench -- mock`.
 *
 * A read and an ingest, with all rules and the journal, beside a handler without rules that returns the same bytes: called
 * directly through `mock.fetch`, and intercepted by MSW through the global `fetch`.
 */

import { type HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { VERSION as CURRENT } from "#current/version";
import { createMock } from "../mock/node.ts";
import { compare, perSecond, scaled } from "./harness.ts";

const DIRECT_CALLS = scaled(20_000);
// Few: MSW 3.0 keeps about 40 kB of every request that it intercepts, also with handlers of its own.
const INTERCEPTED_CALLS = scaled(500);

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
  const direct = (send: typeof fetch) => async () => [await perSecond(DIRECT_CALLS, () => call(send))];
  await compare({
    metrics: [{ title, unit: "requests/s", more: true }],
    cases: {
      "a handler without rules": direct(async (input, init) => answer(new Request(input, init))),
      "mock.fetch": direct(mock.fetch),
      "MSW, a handler without rules": () => intercepted(call, withHandlers),
      "MSW, mock.listen()": () => intercepted(call, withMock),
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

/** Measures calls of the global `fetch` while something intercepts it. */
async function intercepted(call: CallOnce, listen: () => () => void): Promise<readonly [number]> {
  const close = listen();
  try {
    return [await perSecond(INTERCEPTED_CALLS, () => call(fetch))];
  } finally {
    close();
  }
}

function withMock(): () => void {
  mock.listen();
  return () => mock.close();
}

function withHandlers(): () => void {
  const server = setupServer(
    http.all(`${base}/*`, async ({ request }) => (await answer(request)) as HttpResponse<null>),
  );
  server.listen();
  return () => server.close();
}
