import { describe, expect, it, onTestFinished } from "vitest";
import { redisOutbox } from "../../src/usage/redis.ts";
import { hasRedis, startRedis } from "../support/redis-server.ts";
import { serveMock } from "../support/serve-mock.ts";
import { connect, KEY } from "./redis-clients.ts";
import { failedShare, failRequests } from "./service-faults.ts";
import { startWorker, type Worker, type WorkerOptions } from "./start-worker.ts";

/** `CRASH_EVENTS=100000` runs the long test at full length. */
const EVENTS = Number(process.env["CRASH_EVENTS"] ?? 20_000);

/** Starts Redis and the service, and returns a function that starts workers. */
async function surroundings() {
  const redis = await startRedis();
  const service = await serveMock();
  onTestFinished(() => service.close());
  const client = await connect(redis.url);
  const shared = { redisUrl: redis.url, serviceUrl: service.url, accessToken: service.mock.issueToken() };
  const start = (options: Partial<WorkerOptions> = {}): Worker =>
    startWorker({ name: "none", from: 0, to: 0, leaseDuration: 2_000, timeout: 1_000, ...shared, ...options });
  return { redis, client, mock: service.mock, start, outbox: redisOutbox(client) };
}

/** Waits as long as the service needs for many events. */
const eventually = (read: () => unknown) => expect.poll(read, { timeout: 120_000, interval: 100 });

describe.runIf(hasRedis)("processes that share an outbox in Redis", () => {
  it("claim the events that a process held when it was killed", async () => {
    const { client, mock, start, outbox } = await surroundings();
    mock.fault({ operation: "events:ingest", kind: "timeout" });
    const killed = start({ name: "a", to: 400, timeout: 60_000 });
    await expect.poll(() => killed.next).toBe(400);
    await expect.poll(async () => (await client.xPending(KEY, "shippers")).pending).toBe(400);
    await killed.kill();
    mock.faults.clear();
    const other = start({ name: "b", to: 300 });
    await eventually(() => mock.events.size).toBe(700);
    await eventually(() => outbox.state()).toEqual({ events: 0, oldest: undefined });
    await other.stop();
  });

  it(`store each of ${EVENTS} events once, although requests fail, a process is killed and Redis restarts`, {
    timeout: 300_000,
  }, async () => {
    const { redis, mock, start, outbox } = await surroundings();
    failRequests(mock);
    const half = EVENTS / 2;
    const [first, second] = [start({ name: "a", to: half }), start({ name: "b", to: half })];
    await eventually(() => mock.events.size).toBeGreaterThan(EVENTS * 0.2);
    await second.kill();
    const third = start({ name: "b", from: second.next, to: half });
    await eventually(() => mock.events.size).toBeGreaterThan(EVENTS * 0.5);
    const outage = mock.fault({ status: 503 });
    await eventually(async () => (await outbox.state()).events).toBeGreaterThan(EVENTS * 0.1);
    await redis.restart();
    mock.faults.remove(outage.id);
    await eventually(() => [first.next, third.next]).toEqual([half, half]);
    await eventually(() => mock.events.size).toBe(EVENTS);
    await eventually(async () => (await outbox.state()).events).toBe(0);
    await Promise.all([first.stop(), third.stop()]);
    const ids = new Set(mock.events.list().map(({ external_id }) => external_id));
    expect(ids.size).toBe(EVENTS);
    expect(failedShare(mock)).toBeGreaterThan(0.1);
  });
});
