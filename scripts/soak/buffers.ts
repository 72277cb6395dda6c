import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import type { FaultInput, Mock } from "../../mock/index.ts";
import { startServer } from "../../mock/server.ts";
import { usageTableSql } from "../../src/usage/postgres.ts";
import { hasPostgres, hasRedis, startPostgres, startRedis } from "../../test/support/database-servers.ts";
import { UsageProcess } from "../../test/usage/usage-process.ts";
import type { Report } from "./report.ts";

/** The maximum time until every event of a round must be stored, in milliseconds. */
const ROUND = 20_000;
/** The maximum time to send what is left, in milliseconds. */
const DRAIN = 60_000;

const FAILURES: readonly FaultInput[] = [
  ...([401, 403, 408, 429, 500, 503] as const).map((status) => ({ status })),
  ...(["reset", "timeout", "truncated"] as const).map((kind) => ({ kind })),
  ...[{ status: 200, body: "<html>" }, { delay: 300 }],
];

/** What a gateway answers, without a version. None of it may give up an event, or say that it is stored. */
const PAGES: readonly FaultInput[] = [200, 403, 413, 422, 502].flatMap((status) => [
  { status, body: "<html>Try again later.</html>", headers: { "content-type": "text/html", "service-version": "" } },
  { status, body: { detail: "x" }, headers: { "service-version": "" } },
]);

interface Round {
  readonly report: Report;
  readonly mock: Mock;
  readonly processes: readonly UsageProcess[];
}

/** Something that goes wrong, for up to some seconds. The next one follows when its promise resolves. */
type Disturbance = (round: Round) => unknown;

const DISTURBANCES: Readonly<Record<string, Disturbance>> = {
  kills: ({ processes }) => pick(processes).restart(),
  stalls: ({ processes }) => void pick(processes).stall(Math.random() * 4_000),
  failures: ({ mock }) => injectOne(mock, FAILURES),
  pages: ({ mock }) => injectOne(mock, PAGES),
};

function injectOne(mock: Mock, faults: readonly FaultInput[]): void {
  const fault = mock.fault(pick(faults));
  setTimeout(() => mock.faults.remove(fault.id), Math.random() * 2_000);
}

/** A round stops its servers itself. */
const endedByRound = () => {};

/** Where the processes of a round keep their events. */
interface Storage {
  /** The number of processes that share it. */
  readonly processes: number;
  /** The path or the URL. */
  readonly address: string;
  /** What goes wrong with the storage itself. */
  readonly disturbances: Readonly<Record<string, Disturbance>>;
  /** The paths of files that were moved with events in them. */
  readonly moved?: readonly string[];
  close(): Promise<void>;
}

const STORAGES: Readonly<Record<string, () => Promise<Storage>>> = {
  SQLite: async () => {
    const folder = mkdtempSync(join(tmpdir(), "soak-"));
    const address = join(folder, "current", "usage.db");
    const moved: string[] = [];
    mkdirSync(dirname(address));
    const moves: Disturbance = async ({ report, processes: [only] }) => {
      moved.push(join(folder, String(moved.length), "usage.db"));
      renameSync(dirname(address), dirname(moved.at(-1) as string));
      mkdirSync(dirname(address));
      await sleep(2_000);
      const { added } = only as UsageProcess;
      await sleep(500);
      // A process that started meanwhile has created a new file.
      if (only?.added !== added && !existsSync(address)) report.violation("SQLite: a moved file accepts events");
      await only?.restart();
    };
    const close = async () => rmSync(folder, { recursive: true, force: true });
    return { processes: 1, address, disturbances: { moves }, moved, close };
  },
  ...(hasRedis && {
    Redis: async () => {
      const { url, restart, freeze, thaw, stop } = await startRedis([], endedByRound);
      const freezes = async () => {
        freeze();
        await sleep(Math.random() * 3_000);
        thaw();
      };
      return { processes: 3, address: url, disturbances: { restarts: restart, freezes }, close: stop };
    },
    "Redis that evicts": async () => {
      const { url, stop } = await startRedis(["--maxmemory", "2mb", "--maxmemory-policy", "allkeys-lru"], endedByRound);
      return { processes: 2, address: url, disturbances: {}, close: stop };
    },
  }),
  ...(hasPostgres && {
    Postgres: async () => {
      const { url, restart, stop } = await startPostgres(endedByRound);
      const client = new pg.Client(url);
      await client.connect();
      await client.query(usageTableSql());
      await client.end();
      return { processes: 3, address: url, disturbances: { restarts: restart }, close: stop };
    },
  }),
};

type Figures = Readonly<Record<string, number>>;

/**
 * Adds usage events in processes that are killed at random, while the service and the storage fail in every way. Every event
 * whose `add` resolved must be stored or, if the service rejects it, handed over, unless the buffers have warned that the storage
 * may lose events. Runs rounds until the time is over, and prints their figures.
 */
export async function soakBuffers(report: Report, end: number): Promise<void> {
  const rounds = new Map<string, Figures[]>(Object.keys(STORAGES).map((name) => [name, []]));
  do {
    for (const [name, figures] of rounds) {
      figures.push(await runRound(report, name, Math.min(ROUND, Math.max(1_000, end - Date.now()))));
      report.progress(describe(name, figures));
    }
  } while (Date.now() < end);
  for (const [name, figures] of rounds) console.log(`  ${describe(name, figures)}`);
  if (!hasRedis || !hasPostgres) console.log("  redis-server or Postgres is missing; it was not tested");
}

function describe(storage: string, rounds: readonly Figures[]): string {
  const names = Object.keys(rounds[0] ?? {});
  const sums = names.map((name) => `${name} ${rounds.reduce((total, round) => total + (round[name] ?? 0), 0)}`);
  return `${storage}: ${[`rounds ${rounds.length}`, ...sums].join(", ")}`;
}

async function runRound(report: Report, name: string, duration: number): Promise<Figures> {
  const server = await startServer({ maxEvents: 10_000_000 });
  const { mock, url } = server;
  const storage = await (STORAGES[name] as () => Promise<Storage>)();
  const options = { storage: storage.address, baseUrl: url, accessToken: mock.issueToken(), hasRejections: true };
  const processes = Array.from({ length: storage.processes }, () => {
    return new UsageProcess({ ...options, name: crypto.randomUUID() });
  });
  const disturbances = Object.entries({ ...DISTURBANCES, ...storage.disturbances });
  const counts: Record<string, number> = Object.fromEntries(disturbances.map(([kind]) => [kind, 0]));
  for (const end = Date.now() + duration; Date.now() < end; await sleep(100 + Math.random() * 900)) {
    const [kind, disturb] = pick(disturbances);
    counts[kind] = (counts[kind] ?? 0) + 1;
    await disturb({ report, mock, processes });
  }
  mock.faults.clear();
  const moved = (storage.moved ?? []).map((path) => new UsageProcess({ ...options, storage: path, name, total: 0 }));
  const all = [...processes, ...moved];
  const late = setTimeout(() => void all.map((each) => each.kill()), DRAIN);
  const fail = (error: unknown) => report.violation(`${name}: ${error}`);
  await Promise.all(all.map((each) => each.drain().catch(fail)));
  clearTimeout(late);
  const stored = new Set(mock.events.list().map(({ external_id }) => external_id));
  const handedOver = new Set(all.flatMap((each) => each.handedOver));
  const ids = processes.flatMap((each) => each.ids);
  const lost = ids.filter((id) => !stored.has(id) && !handedOver.has(id)).length;
  const hasWarned = processes.every(({ warnings }) => [...warnings].some((text) => text.includes("may lose events")));
  if (lost > 0 && !hasWarned) report.violation(`${name}: ${lost} events are lost`);
  if (stored.size !== mock.events.size) report.violation(`${name}: an event is stored twice`);
  if ([...handedOver].some((id) => stored.has(id))) report.violation(`${name}: a stored event is handed over`);
  await server.close();
  await storage.close();
  const figures = {
    added: processes.reduce((total, { begun }) => total + begun, 0),
    acknowledged: ids.length,
    stored: stored.size,
    "handed over": handedOver.size,
  };
  return { ...figures, lost, ...counts };
}

function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item;
}
