import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import type { Event } from "#current";
import { type IngestProgress, ingestAll } from "../../src/usage/index.ts";
import { bad, eventsOf, QUICK_RETRIES, service, through } from "./service.ts";

async function* slowly(events: readonly Event[]): AsyncGenerator<Event> {
  for (const event of events) {
    await sleep(0);
    yield event;
  }
}

const thrown = () => {
  throw new Error("mine");
};

describe("ingestAll", () => {
  it.each<[string, (events: Event[]) => Iterable<Event> | AsyncIterable<Event>, number]>([
    ["an array", (events) => events, 501],
    ["a set", (events) => new Set(events), 501],
    ["a generator", (events) => events.values(), 501],
    ["an async generator", (events) => slowly(events), 501],
    ["an empty array", (events) => events, 0],
  ])("sends the events of %s", async (_, sourceOf, count) => {
    const { billing, mock } = service();
    const none = { duplicates: 0, rejected: 0, retries: 0, unconfirmed: 0, rejections: [] };
    const report = await ingestAll(billing, sourceOf(eventsOf(count)), QUICK_RETRIES);
    expect(report).toEqual({ read: count, inserted: count, ...none });
    expect(mock.events.size).toBe(count);
  });

  it("sends batches of at most maxBatchEvents and maxBatchBytes", async () => {
    const { billing, batches } = service();
    await ingestAll(billing, eventsOf(100), { ...QUICK_RETRIES, maxBatchEvents: 40 });
    expect(batches().sort()).toEqual([20, 40, 40]);
    const large = eventsOf(10).map((event) => ({ ...event, metadata: { note: "é".repeat(300) } }));
    await ingestAll(billing, large, { ...QUICK_RETRIES, maxBatchBytes: 3_500 });
    expect(batches().slice(3).sort()).toEqual([2, 4, 4]);
  });

  it("counts duplicates; an event without an external_id is another one in each run", async () => {
    const { billing, mock } = service();
    const plain = { name: "api.call", external_customer_id: "acme" };
    const events = [...eventsOf(2), ...eventsOf(1), plain, plain];
    expect(await ingestAll(billing, events)).toMatchObject({ inserted: 4, duplicates: 1 });
    expect(await ingestAll(billing, events)).toMatchObject({ inserted: 2, duplicates: 3 });
    expect(mock.events.size).toBe(6);
  });

  it("asks once more for counts that do not add up, and then gives the events to onUnconfirmed", async () => {
    const ingest = vi.fn(async () => ({ inserted: 4, duplicates: -1 }));
    const [warn, onUnconfirmed] = [vi.fn(), vi.fn()];
    const options = { logger: { debug: () => {}, warn }, onUnconfirmed };
    const report = await ingestAll({ events: { ingest } }, eventsOf(3), options);
    expect(report).toMatchObject({ inserted: 0, duplicates: 0, unconfirmed: 3 });
    const warning = expect.stringContaining("4 inserted and -1 duplicates to a request with 3 events, also when");
    expect(warn.mock.calls).toEqual([[warning, { events: 3 }]]);
    expect(onUnconfirmed.mock.calls).toEqual([[eventsOf(3)]]);
    expect(ingest).toHaveBeenCalledTimes(2);
    ingest.mockResolvedValueOnce({ inserted: 0, duplicates: 0 }).mockResolvedValueOnce({ inserted: 0, duplicates: 3 });
    expect(await ingestAll({ events: { ingest } }, eventsOf(3))).toMatchObject({ unconfirmed: 0, duplicates: 3 });
  });

  it("reports rejected events by index, in order, and sends the others", async () => {
    const { billing, mock } = service();
    const events: unknown[] = eventsOf(1_000);
    for (const index of [0, 499, 500, 731, 999]) events[index] = bad(`bad-${index}`);
    events[600] = null;
    events[601] = { external_customer_id: "acme" };
    events[602] = { external_customer_id: "acme", name: "" };
    const onRejected = vi.fn();
    const report = await ingestAll(billing, events as Event[], { ...QUICK_RETRIES, onRejected });
    expect(report).toMatchObject({ read: 1_000, inserted: 993, rejected: 7 });
    expect(mock.events.size).toBe(993);
    expect(report.rejections.map(({ index }) => index)).toEqual([0, 499, 500, 600, 601, 731, 999]);
    const problems = [{ path: "customer_id", message: "Input should be a valid UUID", type: "uuid_parsing" }];
    expect(report.rejections[1]).toEqual({ index: 499, event: bad("bad-499"), problems });
    const [nothing, nameless] = report.rejections.slice(3);
    const invalid = (path: string, message: string) => [{ path, message, type: "invalid" }];
    expect(nothing).toEqual({ index: 600, event: null, problems: invalid("", "must be an object; received null") });
    expect(nameless?.problems).toEqual(invalid("name", "must be a string; received undefined"));
    expect(onRejected.mock.calls.map(([rejected]) => rejected)).toEqual(expect.arrayContaining([...report.rejections]));
  });

  it("lists at most 10,000 rejected events, and gives all to onRejected, also under fake timers", async () => {
    vi.useFakeTimers();
    const onRejected = vi.fn();
    const events = Array.from({ length: 10_500 }, () => ({})) as Event[];
    const report = await ingestAll(service().billing, events, { onRejected });
    expect(report).toMatchObject({ rejected: 10_500 });
    expect(report.rejections).toHaveLength(10_000);
    expect(onRejected).toHaveBeenCalledTimes(10_500);
  });

  it("reports progress after each batch", async () => {
    const progress: IngestProgress[] = [];
    const onProgress = (each: IngestProgress) => void progress.push(each);
    await ingestAll(service().billing, eventsOf(100), { ...QUICK_RETRIES, maxBatchEvents: 25, onProgress });
    expect(progress.map(({ inserted }) => inserted)).toEqual([25, 50, 75, 100]);
    expect(progress.at(-1)?.read).toBe(100);
  });

  it("reads ahead at most one batch per request, and sends at most `concurrency` requests at a time", async () => {
    let [read, sent, ahead, running, most] = [0, 0, 0, 0, 0];
    const { billing } = through(async () => {
      running += 1;
      most = Math.max(most, running);
      await sleep(2);
      running -= 1;
      sent += 10;
    });
    function* source() {
      for (const event of eventsOf(1_000)) {
        read += 1;
        ahead = Math.max(ahead, read - sent);
        yield event;
      }
    }
    await ingestAll(billing, source(), { ...QUICK_RETRIES, maxBatchEvents: 10, concurrency: 3 });
    expect(ahead).toBeLessThanOrEqual(40);
    expect(most).toBe(3);
  });

  it("continues when a function of the user throws", async () => {
    const { billing, mock } = service();
    const warn = vi.fn();
    const logger = { debug: () => {}, warn };
    mock.fault({ status: 500, times: 1 });
    const options = { onProgress: thrown, onRejected: thrown, onRetry: thrown, logger, minRetryDelay: 1 };
    expect(await ingestAll(billing, [...eventsOf(2), bad("bad")], options)).toMatchObject({ inserted: 2, rejected: 1 });
    const messages = ["onRetry failed: mine", "onRejected failed: mine", "onProgress failed: mine"];
    expect(warn.mock.calls.map(([message]) => message)).toEqual(messages);
  });
});

describe("ingestAll rejects", () => {
  it.each([400, 401, 403, 404])("after status %i, and stops reading, also if that fails", async (status) => {
    const { billing, mock } = service();
    mock.fault({ status });
    const stop = vi.fn(thrown);
    function* source() {
      try {
        yield* eventsOf(100_000);
      } finally {
        stop();
      }
    }
    const onProgress = vi.fn();
    const run = ingestAll(billing, source(), { ...QUICK_RETRIES, onProgress });
    await expect(run).rejects.toMatchObject({ name: "ApiError", status });
    const { retries, read } = onProgress.mock.lastCall?.[0] ?? {};
    expect([retries > 0, read >= 500]).toEqual([true, true]);
    expect(stop).toHaveBeenCalled();
    expect(mock.requests.count).toBeLessThanOrEqual(8);
  });

  it("with the last error when nothing succeeds for retryFor", async () => {
    const { billing, mock } = service();
    mock.fault({ kind: "reset" });
    const onRetry = vi.fn();
    const started = performance.now();
    const run = ingestAll(billing, eventsOf(10), { ...QUICK_RETRIES, retryFor: 200, onRetry });
    const gaveUp = "gave up: the next attempt would be more than 200 ms after the first failure";
    const message = expect.stringContaining(` (${gaveUp})`);
    await expect(run).rejects.toMatchObject({ name: "NetworkError", message });
    expect(performance.now() - started).toBeGreaterThan(150);
    expect(onRetry.mock.calls[0]?.[0]).toMatchObject({ attempt: 1, events: 10, error: { name: "NetworkError" } });
  });

  it("not while requests succeed in between, however long the run takes", async () => {
    let requests = 0;
    const { billing } = through(async () => {
      await sleep(30);
      return ++requests % 2 === 1 ? new Response(null, { status: 503 }) : undefined;
    });
    const options = { ...QUICK_RETRIES, maxBatchEvents: 1, concurrency: 1, retryFor: 100 };
    expect(await ingestAll(billing, eventsOf(5), options)).toMatchObject({ inserted: 5, retries: 5 });
  });

  it("when the signal aborts: before the first request, among invalid events, or while it waits for Retry-After", async () => {
    const { billing, mock } = service();
    const run = (signal: AbortSignal, events = eventsOf(10)) =>
      ingestAll(billing, events, { ...QUICK_RETRIES, signal });
    await expect(run(AbortSignal.timeout(5), Array(200_000).fill({}))).rejects.toMatchObject({ name: "TimeoutError" });
    await expect(run(AbortSignal.abort())).rejects.toMatchObject({ name: "AbortedError" });
    const polyfill = Object.assign(new EventTarget(), { aborted: true, reason: "mine" });
    await expect(run(polyfill as never)).rejects.toMatchObject({ name: "AbortedError", cause: "mine" });
    expect(mock.requests.count).toBe(0);
    mock.fault({ status: 503, retryAfter: 100 });
    await expect(run(AbortSignal.timeout(50))).rejects.toMatchObject({ name: "TimeoutError" });
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7])(
    "when the signal aborts %i microtasks after an event was read, although the source does not answer",
    async (count) => {
      const stop = new AbortController();
      async function* source() {
        yield* eventsOf(2);
        await new Promise(() => {});
      }
      const abort = async () => {
        for (let index = 0; index < count; index++) await undefined;
        stop.abort();
      };
      const onProgress = ({ read }: { readonly read: number }) => void (read === 2 && abort());
      const options = { signal: stop.signal, maxBatchEvents: 1, concurrency: 1, onProgress };
      const run = ingestAll(service().billing, source(), options);
      await expect(run).rejects.toMatchObject({ name: "AbortedError" });
    },
  );

  it("with the error of the source, after the requests in progress", async () => {
    const { billing, mock } = service();
    function* source() {
      yield* eventsOf(20);
      thrown();
    }
    const run = ingestAll(billing, source(), { ...QUICK_RETRIES, maxBatchEvents: 10, concurrency: 1 });
    await expect(run).rejects.toThrow("mine");
    expect(mock.events.size).toBe(20);
  });
});
