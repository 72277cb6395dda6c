/**
 * Measures the standalone server beside a bare fetch handler on `@hono/node-server`: `npm run bench:server`.
 *
 * Both run in their own processes, on one core if `taskset` exists, and are measured in turns with 32 connections. Each
 * round has one ratio; the medians are printed. A round is discarded if other programs used the machine meanwhile.
 * `--memory` also measures the memory use over a million requests.
 */
import { spawnSync } from "node:child_process";
import autocannon from "autocannon";
import { type Child, cpuSeconds, median, othersSince, residentMiB, start } from "./server-processes.ts";

const ROUNDS = Number(process.env["ROUNDS"] ?? 5);
const SECONDS = Number(process.env["SECONDS"] ?? 3);
const NOISE = Number(process.env["NOISE"] ?? 0.2);
const ATTEMPTS = 4 * ROUNDS;
const CONNECTIONS = 32;
const WARM_UP = 20_000;
const ENDPOINT = "3fa85f64-5717-4562-b3fc-2c963f66afa6";

const EVENTS = [
  "checkout.created",
  "checkout.updated",
  "order.created",
  "order.paid",
  "order.refunded",
  "customer.created",
];
const SEED = { webhookEndpoints: [{ id: ENDPOINT, events: EVENTS }], tokens: [{ token: "bench-token" }] };
const EVENT = {
  name: "api.call",
  external_customer_id: "customer-1",
  timestamp: "2025-01-15T10:30:00.000000Z",
  external_id: "event-1",
  metadata: { tokens: 12 },
};

type Kind = "GET" | "POST";

type Name = "bare" | "mock";

interface Speed {
  /** Requests per second. */
  readonly rate: number;
  /** Seconds of processor time per request, which depends less on other programs than the rate. */
  readonly cpu: number;
}

const requests: Readonly<Record<Kind, Partial<autocannon.Options> & { readonly path: string }>> = {
  GET: { path: `/v1/webhooks/endpoints/${ENDPOINT}`, headers: { authorization: "Bearer bench-token" } },
  POST: {
    path: "/v1/events/ingest",
    method: "POST",
    headers: { authorization: "Bearer bench-token", "content-type": "application/json" },
    body: JSON.stringify({ events: [EVENT] }),
  },
};

await measureAll();

async function measureAll(): Promise<void> {
  spawnSync("taskset", ["-cp", "1", String(process.pid)]);
  const servers = { bare: await start("bare"), mock: await start("mock", SEED) };
  for (const kind of ["GET", "POST"] as const) await measureKind(kind, servers);
  console.log(`start to first response: ${(await starts()).toFixed(0)} ms`);
  if (process.argv.includes("--memory")) await measureMemory(servers.mock);
  for (const server of Object.values(servers)) server.stop();
}

async function measureKind(kind: Kind, { bare, mock }: Readonly<Record<Name, Child>>): Promise<void> {
  const rounds: Readonly<Record<Name, Speed>>[] = [];
  for (const server of [bare, mock]) await load(kind, server, 0, WARM_UP);
  for (let attempt = 0; attempt < ATTEMPTS && rounds.length < ROUNDS; attempt++) {
    const others = othersSince([process.pid, bare.pid, mock.pid]);
    const early = attempt % 2 === 0 ? await load(kind, mock, SECONDS) : undefined;
    const round = { bare: await load(kind, bare, SECONDS), mock: early ?? (await load(kind, mock, SECONDS)) };
    const canRepeat = ATTEMPTS - attempt > ROUNDS - rounds.length;
    if (others() < NOISE || !canRepeat) rounds.push(round);
  }
  const of = (read: (round: Readonly<Record<Name, Speed>>) => number) => median(rounds.map(read));
  const rates = `bare ${of(({ bare }) => bare.rate).toFixed(0)}/s, mock ${of(({ mock }) => mock.rate).toFixed(0)}/s`;
  const ratio = of((round) => round.mock.rate / round.bare.rate).toFixed(2);
  const byTime = of((round) => round.bare.cpu / round.mock.cpu).toFixed(2);
  console.log(`${kind}: ${rates}, ratio ${ratio}; by processor time per request ${byTime}`);
}

async function load(kind: Kind, { url, pid }: Child, duration: number, amount?: number): Promise<Speed> {
  const { path, ...request } = requests[kind];
  const bound = amount === undefined ? { duration } : { amount };
  const before = cpuSeconds(pid);
  const result = await autocannon({ url: url + path, connections: CONNECTIONS, ...bound, ...request });
  const failed = result.non2xx + result.errors;
  if (failed > 0) throw new Error(`${kind} ${url}: ${failed} of ${result.requests.total} failed.`);
  return { rate: result.requests.average, cpu: (cpuSeconds(pid) - before) / result.requests.total };
}

async function starts(): Promise<number> {
  const times: number[] = [];
  for (let count = 0; count < 9; count++) {
    const server = await start("mock");
    times.push(server.startMs);
    server.stop();
  }
  return median(times);
}

async function measureMemory(mock: Child): Promise<void> {
  const sizes: string[] = [];
  for (let count = 0; count <= 10; count++) {
    sizes.push(residentMiB(mock.pid).toFixed(0));
    await load(count % 2 === 0 ? "GET" : "POST", mock, 0, 100_000);
  }
  console.log(`resident MiB, every 100,000 requests: ${sizes.join(", ")}`);
}
