/**
 * Measures a call of the client against a bare `fetch` of the same URL: `npm run bench:client`.
 *
 * A server in its own process responds to every request with the same endpoint. Each round measures both, with one call at
 * a time and with 64 at once. The ratio of a round is the calls per second of the client divided by those of bare `fetch`;
 * the medians are printed. The client validates every response and its version; bare `fetch` only parses the JSON.
 */
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createClient } from "../versions/2025-01/index.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 7);
const WARM_UP = 1_000;
const SEQUENTIAL = 3_000;
const CONCURRENT = 10_000;
const LANES = 64;

const ENDPOINT = {
  created_at: "2025-01-15T10:30:00.000000Z",
  modified_at: "2025-02-01T08:00:00.000000Z",
  id: "3fa85f64-5717-4562-b3fc-2c963f66afa6",
  url: "https://example.com/webhooks/billing",
  name: "Production billing endpoint",
  api_version: "2025-01",
  format: "raw",
  secret: "whsec_TWZLUTlyOEdLWXFyVHdqVVBEOElMUFpJbzJMYUxhU3c=",
  organization_id: "1dbfc517-0bbf-4301-9ba8-555ca42b9737",
  events: ["checkout.created", "checkout.updated", "order.created", "order.paid", "order.refunded", "customer.created"],
  enabled: true,
  uses_standard_webhook_signature: true,
};

type CallOnce = () => Promise<unknown>;

interface Speed {
  readonly sequential: number;
  readonly concurrent: number;
}

if (process.argv[2] === "serve") serve();
else await measureAll();

function serve(): void {
  const body = JSON.stringify(ENDPOINT);
  const headers = { "content-type": "application/json", "content-length": body.length, "service-version": "2025-01" };
  const server = createServer({ keepAliveTimeout: 120_000 }, (_request, response) => {
    response.writeHead(200, headers).end(body);
  });
  server.listen(0, "127.0.0.1", () => process.send?.((server.address() as AddressInfo).port));
}

async function measureAll(): Promise<void> {
  const server: ChildProcess = fork(import.meta.filename, ["serve"]);
  const [port] = (await once(server, "message")) as [number];
  const cases = makeCases(`http://127.0.0.1:${port}`);
  for (const call of Object.values(cases)) await inSequence(call, WARM_UP);
  const rounds: Record<keyof typeof cases, Speed>[] = [];
  for (let round = 0; round < ROUNDS; round++) rounds.push(await measureRound(cases, round));
  server.kill();
  print(rounds);
}

function makeCases(baseUrl: string): { fetch: CallOnce; client: CallOnce } {
  const billing = createClient({ accessToken: "bench-token-0123456789", baseUrl });
  const url = `${baseUrl}/v1/webhooks/endpoints/${ENDPOINT.id}`;
  const headers = { authorization: "Bearer bench-token-0123456789" };
  return {
    fetch: async () => (await fetch(url, { headers })).json(),
    client: () => billing.webhooks.getEndpoint(ENDPOINT.id),
  };
}

/** Measures both, in an order that alternates between rounds. */
async function measureRound(
  cases: ReturnType<typeof makeCases>,
  round: number,
): Promise<Record<keyof typeof cases, Speed>> {
  if (round % 2 === 0) {
    const fetch = await measure(cases.fetch);
    return { fetch, client: await measure(cases.client) };
  }
  const client = await measure(cases.client);
  return { client, fetch: await measure(cases.fetch) };
}

async function measure(call: CallOnce): Promise<Speed> {
  await inSequence(call, WARM_UP / 5);
  return {
    sequential: await perSecond(SEQUENTIAL, () => inSequence(call, SEQUENTIAL)),
    concurrent: await perSecond(CONCURRENT, () => inLanes(call, CONCURRENT)),
  };
}

async function perSecond(count: number, run: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await run();
  return (count * 1000) / (performance.now() - started);
}

async function inSequence(call: CallOnce, count: number): Promise<void> {
  for (let index = 0; index < count; index++) await call();
}

async function inLanes(call: CallOnce, count: number): Promise<void> {
  let left = count;
  const lane = async (): Promise<void> => {
    while (left-- > 0) await call();
  };
  await Promise.all(Array.from({ length: LANES }, lane));
}

function print(rounds: readonly { readonly fetch: Speed; readonly client: Speed }[]): void {
  for (const kind of ["sequential", "concurrent"] as const) {
    const bare = median(rounds.map(({ fetch }) => fetch[kind]));
    const client = median(rounds.map((round) => round.client[kind]));
    const ratio = median(rounds.map((round) => round.client[kind] / round.fetch[kind]));
    console.log(`${kind}: fetch ${bare.toFixed(0)}/s, client ${client.toFixed(0)}/s, ratio ${ratio.toFixed(2)}`);
  }
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}
