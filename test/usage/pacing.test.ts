import { beforeEach, describe, expect, it, vi } from "vitest";
import { ingestAll } from "../../src/usage/index.ts";
import { addAll, buffer, eventsOf, QUICK_RETRIES, service, through } from "./service.ts";

beforeEach(() => void vi.useFakeTimers());

it.each([
  [5, 1, undefined],
  [5, 1, 5],
  [5, 1, 100],
  [100, 10, undefined],
])(
  "two processes that share a limit of %i per %i s use at least 95 percent of it, and at most 10 percent of their requests are rejected (requestsPerSecond: %s)",
  async (requests, windowSeconds, requestsPerSecond) => {
    const { billing, mock } = service({}, { assumptions: { rateLimit: { requests, windowSeconds } } });
    for (const first of [1, 1_001]) {
      const usage = buffer(billing, { requestsPerSecond, maxBatchEvents: 1 });
      await addAll(usage, eventsOf(1_000, first));
      await vi.advanceTimersByTimeAsync(100);
    }
    await vi.advanceTimersByTimeAsync(60_000);
    const statuses = mock.requests.to("events:ingest").map(({ status }) => status);
    expect(mock.events.size).toBeGreaterThanOrEqual(0.95 * 60 * (requests / windowSeconds));
    expect(statuses.filter((status) => status === 429).length).toBeLessThanOrEqual(0.1 * statuses.length);
  },
);

describe("a limit that other clients have used up", () => {
  const slowed = async (stored: number, times = 4) => {
    const given = service();
    const usage = buffer(given.billing, { maxBatchEvents: 1 });
    await addAll(usage, eventsOf(stored));
    await vi.advanceTimersByTimeAsync(100);
    given.mock.fault({ status: 429, headers: { "Retry-After": "20" }, times });
    await addAll(usage, eventsOf(2_000, stored + 1));
    await vi.advanceTimersByTimeAsync((times - 3) * 20_000);
    return { ...given, usage };
  };

  it.each([
    ["slows a buffer down", 1, 4, 4_000, 4, 10],
    ["slows a buffer down for less than half a minute", 1, 4, 30_000, 500, 2_001],
    ["slows a buffer down for less than half a minute, also after several 429s", 1, 8, 30_000, 500, 2_001],
    ["does not if the buffer has sent nothing before", 0, 4, 1_000, 1_000, 2_000],
  ])("%s", async (_, stored, times, time, least, most) => {
    const { mock } = await slowed(stored, times);
    await vi.advanceTimersByTimeAsync(time);
    expect(mock.events.size).toBeGreaterThanOrEqual(least);
    expect(mock.events.size).toBeLessThanOrEqual(most);
  });

  it("does not slow `close` down", async () => {
    const { mock, usage } = await slowed(1);
    const closed = usage.close();
    await vi.advanceTimersByTimeAsync(1_000);
    await closed;
    expect(mock.events.size).toBe(2_001);
  });
});

it("close sends at most requestsPerSecond requests", async () => {
  const { billing, mock } = service();
  const usage = buffer(billing, { maxBatchEvents: 1, requestsPerSecond: 2 });
  await addAll(usage, eventsOf(10));
  const closed = usage.close();
  await vi.advanceTimersByTimeAsync(4_000);
  expect(mock.events.size).toBeLessThan(10);
  await vi.advanceTimersByTimeAsync(2_000);
  await closed;
});

it("ingestAll sends at most requestsPerSecond requests", async () => {
  const { billing, mock } = service();
  const run = ingestAll(billing, eventsOf(10), { ...QUICK_RETRIES, maxBatchEvents: 1, requestsPerSecond: 0.5 });
  await vi.advanceTimersByTimeAsync(9_000);
  expect(mock.requests.count).toBe(5);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(await run).toMatchObject({ inserted: 10 });
});

it("concurrency shrinks after a 429, and grows again with each success", async () => {
  let [running, most] = [0, 0];
  const given = through(async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setTimeout(resolve, 100));
    running -= 1;
  });
  const usage = buffer(given.billing, { maxBatchEvents: 1, concurrency: 8, maxDelay: 10 });
  const send = async (first: number, events: number, ms: number) => {
    most = 0;
    await addAll(usage, eventsOf(events, first));
    await vi.advanceTimersByTimeAsync(ms);
    return most;
  };
  expect(await send(1, 8, 200)).toBe(8);
  given.mock.fault({ status: 429, times: 3 });
  // Three failures leave one at a time, and three successes add one each. The pace is forgotten after an hour.
  await send(9, 3, 3_600_000);
  expect(await send(20, 20, 95)).toBe(4);
  expect(await send(40, 40, 3_000)).toBe(8);
});
