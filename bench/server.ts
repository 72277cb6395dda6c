/**
 * Measures the standalone server beside a bare fetch handler on `@hono/node-server`: `npm run bench -- server`.
 *
 * Both run in their own processes, on one core if `taskset` exists, and are measured in turns with 32 connections from
 * another core.
 */
import { spawnSync } from "node:child_process";
import autocannon from "autocannon";
import { compare, QUICK } from "./harness.ts";
import { type Child, ENDPOINT, processorTime, start } from "./servers.ts";

const SECONDS = QUICK ? 1 : Number(process.env["SECONDS"] ?? 3);
const CONNECTIONS = 32;
const authorization = "Bearer bench-token";

const SEED = {
  webhookEndpoints: [{ id: ENDPOINT.id, events: ENDPOINT.events }],
  tokens: [{ token: "bench-token" }],
};
const EVENT = {
  name: "api.call",
  external_customer_id: "customer-1",
  timestamp: "2025-01-15T10:30:00.000000Z",
  external_id: "event-1",
  metadata: { tokens: 12 },
};

type Load = Partial<autocannon.Options> & { readonly path: string };

const READ: Load = { path: `/v1/webhooks/endpoints/${ENDPOINT.id}`, headers: { authorization } };
const INGEST: Load = {
  path: "/v1/events/ingest",
  method: "POST",
  headers: { authorization, "content-type": "application/json" },
  body: JSON.stringify({ events: [EVENT] }),
};

spawnSync("taskset", ["-cp", "0", String(process.pid)]);
const [bare, mock] = [await start("bare"), await start("mock", SEED)];
await measure("reading an endpoint", READ);
await measure("ingesting an event", INGEST);
for (const server of [bare, mock]) server.stop();
await compare({
  metrics: [{ title: "from the start of the process to the first response", unit: "ms" }],
  cases: { "billing mock": startTime },
});

async function measure(title: string, request: Load): Promise<void> {
  await compare({
    metrics: [
      { title, unit: "requests/s", more: true },
      { title: `${title}, processor time`, unit: "µs per request" },
    ],
    cases: {
      "a handler without rules": () => load(bare, request),
      "billing mock": () => load(mock, request),
    },
  });
}

async function load({ url, pid }: Child, { path, ...request }: Load): Promise<readonly number[]> {
  const before = processorTime(pid);
  const result = await autocannon({ url: url + path, connections: CONNECTIONS, duration: SECONDS, ...request });
  const failed = result.non2xx + result.errors;
  if (failed > 0) throw new Error(`${url}${path}: ${failed} of ${result.requests.total} requests failed.`);
  return [result.requests.average, ((processorTime(pid) - before) * 1e6) / result.requests.total];
}

async function startTime(): Promise<readonly number[]> {
  const server = await start("mock");
  server.stop();
  return [server.startTime];
}
