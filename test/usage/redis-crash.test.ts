import { describe, expect, it, onTestFinished } from "vitest";
import { redisOutbox } from "../../src/usage/redis.ts";
import { hasRedis, startRedis } from "../support/redis-server.ts";
import { started } from "../support/started-server.ts";
import { connect } from "./redis-clients.ts";
import { failedShare, failRequests } from "./service-faults.ts";
import { type Assignment, UsageProcess } from "./usage-process.ts";

/** `CRASH_EVENTS=100000` runs the long test at full length. */
const EVENTS = Number(process.env["CRASH_EVENTS"] ?? 20_000);

/** Starts Redis and the service, and returns a function that starts processes. */
async function surroundings() {
  const redis = await startRedis();
  const server = await started({ seed: 1 });
  const client = await connect(redis.url);
  const shared = { storage: redis.url, baseUrl: server.url, accessToken: server.mock.issueToken() };
  const start = (options: Pick<Assignment, "name" | "total" | "timeout">): UsageProcess => {
    const process = new UsageProcess({ ...shared, ...options });
    onTestFinished(() => process.kill());
    return process;
  };
  return { redis, client, mock: server.mock, start, outbox: redisOutbox(client) };
}

/** Waits as long as the service needs for many events. */
const eventually = (read: () => unknown) => expect.poll(read, { timeout: 120_000, interval: 50 });

describe.runIf(hasRedis)("processes that share an outbox in Redis", () => {
  it(`store each of ${EVENTS} events once, although requests fail, a process is killed and Redis restarts`, {
    timeout: 300_000,
  }, async () => {
    const { redis, mock, start, outbox } = await surroundings();
    failRequests(mock);
    const processes = ["a", "b"].map((name) => start({ name, total: EVENTS / 2 }));
    await eventually(() => mock.events.size).toBeGreaterThan(EVENTS * 0.2);
    await processes[1]?.restart();
    await eventually(() => mock.events.size).toBeGreaterThan(EVENTS * 0.5);
    const outage = mock.fault({ status: 503 });
    await eventually(async () => (await outbox.state()).events).toBeGreaterThan(EVENTS * 0.1);
    await redis.restart();
    mock.faults.remove(outage.id);
    await eventually(() => processes.map(({ added }) => added)).toEqual([EVENTS / 2, EVENTS / 2]);
    await Promise.all(processes.map((each) => each.drain()));
    expect(processes.flatMap(({ lost }) => lost)).toEqual([]);
    const ids = new Set(mock.events.list().map(({ external_id }) => external_id));
    expect([ids.size, mock.events.size]).toEqual([EVENTS, EVENTS]);
    expect(failedShare(mock)).toBeGreaterThan(0.1);
  });
});
