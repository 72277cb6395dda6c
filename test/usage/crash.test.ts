import { join } from "node:path";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import type { FaultInput, Mock } from "../../mock/index.ts";
import type { Outbox } from "../../src/usage/index.ts";
import { postgresOutbox, usageTableSql } from "../../src/usage/postgres.ts";
import { redisOutbox } from "../../src/usage/redis.ts";
import { sqliteOutbox } from "../../src/usage/sqlite.ts";
import { hasPostgres, hasRedis, startPostgres, startRedis } from "../support/database-servers.ts";
import { newFolder } from "../support/new-folder.ts";
import { started } from "../support/started-server.ts";
import { connect } from "./redis-clients.ts";
import { UsageProcess } from "./usage-process.ts";

/** `CRASH_EVENTS=100000` runs the tests at full length. */
const EVENTS = Number(process.env["CRASH_EVENTS"] ?? 6_000);
const KILLS = 10;

/** Every kind of fault. 413 and 422 are missing: they are a verdict about the events. The last one only delays. */
const FAULTS: readonly FaultInput[] = [
  { kind: "reset" },
  { kind: "timeout" },
  { status: 200, body: "<html>" },
  { kind: "truncated" },
  { status: 401 },
  { status: 429, retryAfter: 0 },
  { status: 500 },
  { status: 503 },
  { delay: 100 },
];

/** Starts a service of which 20% of the requests fail, in every way, and processes that send it `EVENTS` events. */
async function failing(storage: string, names: readonly string[]) {
  const { mock, url } = await started({ seed: 1 });
  const probability = 1 - 0.8 ** (1 / (FAULTS.length - 1));
  for (const fault of FAULTS) mock.fault({ ...fault, probability });
  const shared = { storage, baseUrl: url, accessToken: mock.issueToken(), total: EVENTS / names.length };
  const processes = names.map((name) => new UsageProcess({ ...shared, name }));
  onTestFinished(async () => void (await Promise.all(processes.map((each) => each.kill()))));
  return { mock, processes };
}

/** Waits as long as the service needs for many events. */
const eventually = (read: () => unknown) => expect.poll(read, { timeout: 120_000, interval: 1 });

/** Lets the processes send the rest, and checks that every event is stored once. */
async function expectAllStored(mock: Mock, processes: readonly UsageProcess[], outbox: () => Outbox): Promise<void> {
  await eventually(() => processes.reduce((sum, { added }) => sum + added, 0)).toBe(EVENTS);
  await Promise.all(processes.map((each) => each.drain()));
  expect(processes.flatMap(({ handedOver }) => handedOver)).toEqual([]);
  const ids = mock.events.list().map(({ external_id }) => external_id);
  expect({ stored: ids.length, distinct: new Set(ids).size }).toEqual({ stored: EVENTS, distinct: EVENTS });
  const left = outbox();
  expect((await left.state()).events).toBe(0);
  await left.close();
  const hits = mock.faults.list().slice(0, FAULTS.length - 1);
  expect(hits.reduce((sum, fault) => sum + fault.hits, 0) / mock.requests.count).toBeGreaterThan(0.05);
}

it(`SQLite stores each of ${EVENTS} events once, through ${KILLS} kills and failures of every kind`, {
  timeout: 300_000,
}, async () => {
  const storage = join(newFolder(), "usage.db");
  const { mock, processes } = await failing(storage, ["event"]);
  for (let kills = 1; kills <= KILLS; kills++) {
    await eventually(() => mock.events.size).toBeGreaterThanOrEqual((EVENTS * kills) / (KILLS + 1));
    await processes[0]?.restart();
  }
  await expectAllStored(mock, processes, () => sqliteOutbox(storage));
});

/** Starts a server of each kind, and an outbox in it. */
const servers = {
  Redis: async () => {
    const redis = await startRedis();
    return { ...redis, outbox: redisOutbox(await connect(redis.url)) };
  },
  Postgres: async () => {
    const server = await startPostgres();
    const pool = new pg.Pool({ connectionString: server.url }).on("error", () => undefined);
    onTestFinished(() => pool.end());
    await pool.query(usageTableSql());
    return { ...server, outbox: postgresOutbox(pool) };
  },
};
const installed = Object.entries(servers).filter(([name]) => (name === "Redis" ? hasRedis : hasPostgres));

it.runIf(installed.length > 0).each(installed)(
  `%s stores each of ${EVENTS} events once, although requests fail, a process is killed and the server restarts`,
  { timeout: 300_000 },
  async (_, start) => {
    const { outbox, restart, url } = await start();
    const { mock, processes } = await failing(url, ["a", "b"]);
    await eventually(() => mock.events.size).toBeGreaterThan(EVENTS * 0.2);
    await processes[1]?.restart();
    await eventually(() => mock.events.size).toBeGreaterThan(EVENTS * 0.5);
    const outage = mock.fault({ status: 503 });
    await eventually(async () => (await outbox.state()).events).toBeGreaterThan(EVENTS * 0.1);
    await restart();
    mock.faults.remove(outage.id);
    await expectAllStored(mock, processes, () => outbox);
  },
);
