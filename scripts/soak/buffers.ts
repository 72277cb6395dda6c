import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { FaultInput } from "../../mock/index.ts";
import { startServer } from "../../mock/server.ts";
import { hasRedis, launchRedis } from "../../test/support/redis-server.ts";
import { UsageProcess } from "../../test/usage/usage-process.ts";
import type { Report } from "./report.ts";

/** The maximum time until every event of a round must be stored, in milliseconds. */
const ROUND = 10_000;
/** The maximum time to send what is left, in milliseconds. */
const DRAIN = 60_000;

const FAULTS: readonly FaultInput[] = [
  ...([401, 403, 408, 429, 500, 503] as const).map((status) => ({ status })),
  ...(["reset", "empty-reply", "bad-status-line", "timeout", "malformed", "truncated"] as const).map((kind) => ({
    kind,
  })),
  { delay: 300 },
];

/** Where the processes of a round keep their events. */
interface Storage {
  /** The number of processes that share it. */
  readonly processes: number;
  /** The path or the URL. */
  readonly address: string;
  /** Kills the storage itself and starts it again. */
  restart?(): Promise<void>;
  close(): Promise<void>;
}

const STORAGES: Readonly<Record<string, () => Promise<Storage>>> = {
  SQLite: async () => {
    const folder = mkdtempSync(join(tmpdir(), "soak-"));
    const close = async () => rmSync(folder, { recursive: true, force: true });
    return { processes: 1, address: join(folder, "usage.db"), close };
  },
  ...(hasRedis && {
    Redis: async () => {
      const { url, restart, stop } = await launchRedis();
      return { processes: 3, address: url, restart, close: stop };
    },
  }),
};

type Figures = Readonly<
  Record<"added" | "acknowledged" | "stored" | "lost" | "duplicates" | "outages" | "kills", number>
>;

/**
 * Adds usage events in processes that are killed at random, while the service fails in every way, and Redis is killed too.
 * Every event whose `add` resolved must be stored, once. Runs rounds until the time is over, and prints their figures.
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
  if (!hasRedis) console.log("  Redis: not tested, redis-server is missing");
}

function describe(storage: string, rounds: readonly Figures[]): string {
  const names = Object.keys(rounds[0] ?? {}) as (keyof Figures)[];
  const sums = names.map((name) => `${name} ${rounds.reduce((total, round) => total + round[name], 0)}`);
  return `${storage}: ${[`rounds ${rounds.length}`, ...sums].join(", ")}`;
}

async function runRound(report: Report, name: string, duration: number): Promise<Figures> {
  const server = await startServer({ maxEvents: 10_000_000 });
  const { mock, url } = server;
  const storage = await (STORAGES[name] as () => Promise<Storage>)();
  const options = { storage: storage.address, baseUrl: url, accessToken: mock.issueToken() };
  const processes = Array.from({ length: storage.processes }, () => {
    return new UsageProcess({ ...options, name: crypto.randomUUID() });
  });
  const counts = { outages: 0, kills: 0 };
  for (const end = Date.now() + duration; Date.now() < end; await sleep(100 + Math.random() * 900)) {
    const luck = Math.random();
    if (luck < 0.5) {
      counts.kills += 1;
      await pick(processes).restart();
    } else if (luck < 0.9) {
      counts.outages += 1;
      const fault = mock.fault(pick(FAULTS));
      setTimeout(() => mock.faults.remove(fault.id), Math.random() * 2_000);
    } else await storage.restart?.();
  }
  mock.faults.clear();
  const late = setTimeout(() => void processes.map((each) => each.kill()), DRAIN);
  const fail = (error: unknown) => report.violation(`${name}: ${error}`);
  await Promise.all(processes.map((each) => each.drain().catch(fail)));
  clearTimeout(late);
  const stored = new Set(mock.events.list().map(({ external_id }) => external_id));
  const ids = processes.flatMap((each) => each.ids);
  const lost = ids.filter((id) => !stored.has(id)).length + processes.flatMap((each) => each.lost).length;
  if (lost > 0) report.violation(`${name}: ${lost} events are lost`);
  if (stored.size !== mock.events.size) report.violation(`${name}: an event is stored twice`);
  await server.close();
  await storage.close();
  const sum = (count: "begun" | "duplicates") => processes.reduce((total, each) => total + each[count], 0);
  const figures = { added: sum("begun"), acknowledged: ids.length, stored: stored.size, lost };
  return { ...figures, duplicates: sum("duplicates"), ...counts };
}

function pick<Item>(items: readonly Item[]): Item {
  return items[Math.floor(Math.random() * items.length)] as Item;
}
