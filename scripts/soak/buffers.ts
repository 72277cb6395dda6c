/**
 * Adds usage events in processes that are killed at random, while the service fails in every way, and Redis is killed too.
 * Every event whose `add` resolved must be stored. This file is also the program of those processes.
 */
import { type ChildProcess, fork, type StdioOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { createConnection, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createClient as createRedisClient } from "redis";
import type { FaultInput } from "../../mock/index.ts";
import { type MockServer, startServer } from "../../mock/server.ts";
import { createEventBuffer, isOutboxError, type Outbox } from "../../src/usage/index.ts";
import { redisOutbox } from "../../src/usage/redis.ts";
import { sqliteOutbox } from "../../src/usage/sqlite.ts";
import { createClient } from "../../versions/2025-01/index.ts";
import type { Report } from "./report.ts";

/** The maximum time of a round, after which every event must be stored, in milliseconds. */
const ROUND = 10_000;
/** The maximum time to send what is left, in milliseconds. */
const DRAIN = 60_000;
const GROUP = 50;

const FAULTS: readonly FaultInput[] = [
  ...([401, 403, 408, 429, 500, 503] as const).map((status) => ({ status })),
  ...(["reset", "empty-reply", "bad-status-line", "timeout", "malformed", "truncated"] as const).map((kind) => ({
    kind,
  })),
  { delay: 300 },
];

/** Where the processes of a round keep their events, and how many processes share it. */
const STORAGES = {
  SQLite: { processes: 1, open: openSqlite },
  Redis: { processes: 3, open: openRedis },
} as const;

interface Storage {
  /** The path or the URL. */
  readonly address: string;
  /** Kills the storage itself and starts it again. */
  readonly restart?: () => Promise<void>;
  close(): Promise<void>;
}

interface Figures {
  readonly added: number;
  readonly acknowledged: number;
  readonly stored: number;
  readonly lost: number;
  readonly duplicates: number;
  readonly outages: number;
  readonly kills: number;
}

/** Runs rounds until the time is over, and prints the sums of their figures. */
export async function soakBuffers(report: Report, end: number): Promise<void> {
  const names = Object.keys(STORAGES) as (keyof typeof STORAGES)[];
  const available = names.filter((name) => name !== "Redis" || spawnSync("redis-server", ["--version"]).status === 0);
  const sums = new Map<string, Figures[]>(available.map((name) => [name, []]));
  do {
    for (const name of available) {
      const figures = await runRound(report, name, Math.min(ROUND, Math.max(1_000, end - Date.now())));
      sums.get(name)?.push(figures);
      if (figures.lost > 0) report.violation(`${name}: ${figures.lost} acknowledged events are not stored`);
      report.progress(`${name}: ${describe(sums.get(name) ?? [])}`);
    }
  } while (Date.now() < end);
  for (const [name, figures] of sums) console.log(`          ${name}: ${describe(figures)}`);
  if (!available.includes("Redis")) console.log("          Redis: not tested, redis-server is missing");
}

function describe(rounds: readonly Figures[]): string {
  const names = Object.keys(rounds[0] ?? {}) as (keyof Figures)[];
  const sum = (name: keyof Figures) => rounds.reduce((total, round) => total + round[name], 0);
  return [`rounds ${rounds.length}`, ...names.map((name) => `${name} ${sum(name)}`)].join(", ");
}

async function runRound(report: Report, name: keyof typeof STORAGES, duration: number): Promise<Figures> {
  const { processes, open } = STORAGES[name];
  const server = await startServer({ maxEvents: 10_000_000 });
  const storage = await open();
  const workers = Array.from({ length: processes }, () => new Worker(name, storage.address, server));
  const counts = { outages: 0, kills: 0 };
  for (const end = Date.now() + duration; Date.now() < end; await sleep(100 + Math.random() * 900)) {
    const luck = Math.random();
    if (luck < 0.5) {
      counts.kills += 1;
      await pick(workers).restart();
    } else if (luck < 0.9) {
      counts.outages += 1;
      const fault = server.mock.fault(pick(FAULTS));
      setTimeout(() => server.mock.faults.remove(fault.id), Math.random() * 2_000);
    } else {
      await storage.restart?.();
    }
  }
  server.mock.faults.clear();
  for (const worker of workers) if (!(await worker.drain())) report.violation(`${name}: a process did not end`);
  const stored = new Set(server.mock.events.list().map(({ external_id }) => external_id));
  if (stored.size !== server.mock.events.size) report.violation(`${name}: an event is stored twice`);
  await server.close();
  await storage.close();
  const sum = (count: (worker: Worker) => number) => workers.reduce((total, worker) => total + count(worker), 0);
  return {
    added: sum(({ added }) => added),
    acknowledged: sum(({ acknowledged }) => acknowledged.length),
    stored: stored.size,
    lost: sum(({ acknowledged }) => acknowledged.filter((id) => !stored.has(id)).length),
    duplicates: sum(({ duplicates }) => duplicates),
    ...counts,
  };
}

function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item;
}

/** A message of a process: the ids of events that it is about to add, or that it has added, or a number of duplicates. */
interface Message {
  readonly added?: number;
  readonly acknowledged?: readonly string[];
  readonly duplicates?: number;
}

/** A process that adds and sends events. */
class Worker {
  added = 0;
  duplicates = 0;
  readonly acknowledged: string[] = [];
  readonly #args: readonly string[];
  #process: ChildProcess;

  constructor(name: string, address: string, { url, mock }: MockServer) {
    this.#args = [name, address, url, mock.issueToken()];
    this.#process = this.#start();
  }

  /** Kills the process (SIGKILL) and starts another one with the same storage. */
  async restart(): Promise<void> {
    const exited = once(this.#process, "exit");
    this.#process.kill("SIGKILL");
    await exited;
    this.#process = this.#start();
  }

  /** Lets the process send what is left. Returns whether it ended in time, without an error. */
  async drain(): Promise<boolean> {
    const late = setTimeout(() => this.#process.kill("SIGKILL"), DRAIN);
    const exited = once(this.#process, "exit");
    this.#process.send("drain");
    const [code] = await exited;
    clearTimeout(late);
    return code === 0;
  }

  #start(): ChildProcess {
    const stdio: StdioOptions = ["ignore", "inherit", "inherit", "ipc"];
    const child = fork(fileURLToPath(import.meta.url), [...this.#args], { stdio });
    child.on("message", ({ added = 0, acknowledged = [], duplicates = 0 }: Message) => {
      this.added += added;
      this.duplicates += duplicates;
      this.acknowledged.push(...acknowledged);
    });
    return child;
  }
}

async function openSqlite(): Promise<Storage> {
  const folder = mkdtempSync(join(tmpdir(), "soak-"));
  return { address: join(folder, "usage.db"), close: async () => rmSync(folder, { recursive: true, force: true }) };
}

/** Starts a Redis that has written a command to the disk before it responds. */
async function openRedis(): Promise<Storage> {
  const folder = mkdtempSync(join(tmpdir(), "soak-"));
  const port = await freePort();
  const options = ["--port", port, "--bind", "127.0.0.1", "--dir", folder, "--save", "", "--appendonly", "yes"];
  const start = () => spawn("redis-server", [...options, "--appendfsync", "always"].map(String), { stdio: "ignore" });
  let running = start();
  await untilListening(port);
  const stop = async () => {
    const exited = once(running, "exit");
    running.kill("SIGKILL");
    await exited;
  };
  return {
    address: `redis://127.0.0.1:${port}`,
    restart: async () => {
      await stop();
      running = start();
      await untilListening(port);
    },
    close: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as { port: number };
  server.close();
  await once(server, "close");
  return port;
}

async function untilListening(port: number): Promise<void> {
  for (;;) {
    const socket = createConnection(port, "127.0.0.1");
    const isOpen = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (isOpen) return;
    await sleep(20);
  }
}

/** Adds events to a buffer until the message "drain" arrives, then sends what is left. */
async function work([name, address, baseUrl, accessToken]: readonly string[]): Promise<void> {
  const tell = (message: Message) => process.send?.(message);
  let isDraining = false;
  process.once("message", () => {
    isDraining = true;
  });
  const exit = () => process.exit(1);
  process.once("disconnect", exit);
  const { outbox, close } = await openOutbox(name, address as string);
  const billing = createClient({ baseUrl, accessToken, timeout: 500, logLevel: "off" });
  const usage = createEventBuffer(billing, {
    outbox,
    maxDelay: 20,
    minRetryDelay: 5,
    maxRetryDelay: 200,
    logLevel: "off",
    onSent: ({ duplicates }) => tell({ duplicates }),
  });
  const prefix = crypto.randomUUID();
  for (let next = 0; !isDraining; next += GROUP) {
    const ids = Array.from({ length: GROUP }, (_, index) => `${prefix}-${next + index}`);
    tell({ added: GROUP });
    await Promise.all(ids.map((id) => untilAvailable(() => usage.add({ ...EVENT, external_id: id }))));
    tell({ acknowledged: ids });
    await sleep(Math.random() * 20);
  }
  const isEmpty = async () => (await usage.stats()).queued === 0;
  // `flush` rejects after two responses in a row such as 401.
  while (!(await untilAvailable(isEmpty))) await usage.flush().catch(() => sleep(20));
  await usage.close();
  close();
  process.removeListener("disconnect", exit);
  process.disconnect();
}

const EVENT = { name: "api.call", external_customer_id: "acme", metadata: { tokens: 100 } };

async function openOutbox(name: string | undefined, address: string): Promise<{ outbox: Outbox; close(): void }> {
  if (name === "SQLite") return { outbox: sqliteOutbox(address), close: () => undefined };
  const client = createRedisClient({ url: address }).on("error", () => undefined);
  await client.connect();
  return { outbox: redisOutbox(client, { leaseDuration: 1_000, pollInterval: 100 }), close: () => client.destroy() };
}

/** Calls a function again while Redis is away. */
async function untilAvailable<Result>(call: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isOutboxError(error) || error.reason !== "unavailable") throw error;
      await sleep(20);
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await work(process.argv.slice(2));
