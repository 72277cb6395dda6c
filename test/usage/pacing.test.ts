import { beforeEach, expect, it, vi } from "vitest";
import { ingestAll } from "../../src/usage/index.ts";
import { addAll, buffer, eventsOf, QUICK_RETRIES, service, through } from "./service.ts";

beforeEach(() => void vi.useFakeTimers());

it("two processes that share a limit of 5 requests per second use at least 95%, with at most 10% of requests rejected", async () => {
  const { billing, mock } = service({}, { assumptions: { rateLimit: { requests: 5, windowSeconds: 1 } } });
  const buffers = [1, 2].map(() => buffer(billing, { requestsPerSecond: 2.5, maxBatchEvents: 1 }));
  await Promise.all(buffers.map((usage, index) => addAll(usage, eventsOf(200, index * 200 + 1))));
  await vi.advanceTimersByTimeAsync(60_000);
  const statuses = mock.requests.to("events:ingest").map(({ status }) => status);
  expect(mock.events.size).toBeGreaterThanOrEqual(0.95 * 5 * 60);
  expect(statuses.filter((status) => status === 429).length).toBeLessThanOrEqual(0.1 * statuses.length);
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
  await send(9, 3, 210);
  // Three failures leave one at a time, and three successes add one each.
  expect(await send(20, 20, 95)).toBe(4);
  expect(await send(40, 40, 3_000)).toBe(8);
});
