import { describe, expect, it, vi } from "vitest";
import { type IngestProgress, ingestAll } from "../../src/usage/index.ts";
import { createClient, type Event } from "../../versions/2025-01/index.ts";
import { bad, eventsOf, QUICK_RETRIES, service, sleep } from "./service.ts";

async function* slowly(events: readonly Event[]): AsyncGenerator<Event> {
  for (const event of events) {
    await sleep(0);
    yield event;
  }
}

describe("ingestAll", () => {
  it.each([
    ["an array", (events: Event[]) => events],
    ["a set", (events: Event[]) => new Set(events)],
    ["a generator", (events: Event[]) => events.values()],
    ["an async generator", (events: Event[]) => slowly(events)],
  ])("sends the events of %s", async (_, sourceOf) => {
    const { billing, mock } = service();
    const report = await ingestAll(billing, sourceOf(eventsOf(501)), QUICK_RETRIES);
    expect(mock.events.size).toBe(501);
    expect(report).toEqual({
      read: 501,
      inserted: 501,
      duplicates: 0,
      rejected: 0,
      retries: 0,
      unconfirmed: 0,
      withoutExternalId: 0,
      settled: 501,
      rejections: [],
    });
  });

  it("resolves for an empty source", async () => {
    const { billing, batches } = service();
    expect(await ingestAll(billing, [])).toMatchObject({ read: 0, settled: 0, rejections: [] });
    expect(batches()).toEqual([]);
  });

  it("sends batches of at most maxBatchEvents and maxBatchBytes", async () => {
    const { billing, batches } = service();
    await ingestAll(billing, eventsOf(100), { ...QUICK_RETRIES, maxBatchEvents: 40 });
    expect(batches().sort()).toEqual([20, 40, 40]);
    const large = eventsOf(10).map((event) => ({ ...event, metadata: { note: "é".repeat(300) } }));
    await ingestAll(billing, large, { ...QUICK_RETRIES, maxBatchBytes: 3_500 });
    expect(batches().slice(3).sort()).toEqual([2, 4, 4]);
  });

  it("counts duplicates, and stored events without an external_id", async () => {
    const { billing, mock } = service();
    const plain = { name: "api.call", external_customer_id: "acme" };
    const events = [...eventsOf(2), ...eventsOf(1), plain, plain];
    expect(await ingestAll(billing, events)).toMatchObject({ inserted: 4, duplicates: 1, withoutExternalId: 2 });
    expect(await ingestAll(billing, events)).toMatchObject({ inserted: 2, duplicates: 3, withoutExternalId: 2 });
    expect(mock.events.size).toBe(6);
  });

  it("reports rejected events by index, in order, and sends the others", async () => {
    const { billing, mock } = service();
    const events: unknown[] = eventsOf(1_000);
    for (const index of [0, 499, 500, 731, 999]) events[index] = bad(`bad-${index}`);
    events[600] = null;
    events[601] = { external_customer_id: "acme" };
    const onRejected = vi.fn();
    const report = await ingestAll(billing, events as Event[], { ...QUICK_RETRIES, onRejected });
    expect(report).toMatchObject({ read: 1_000, inserted: 993, rejected: 7, settled: 1_000 });
    expect(mock.events.size).toBe(993);
    expect(report.rejections.map(({ index }) => index)).toEqual([0, 499, 500, 600, 601, 731, 999]);
    const problems = [{ path: "customer_id", message: "Input should be a valid UUID", type: "uuid_parsing" }];
    expect(report.rejections[1]).toEqual({ index: 499, event: bad("bad-499"), problems });
    const [nothing, nameless] = report.rejections.slice(3);
    const invalid = (message: string) => [{ path: "", message, type: "invalid" }];
    expect(nothing).toEqual({ index: 600, event: null, problems: invalid("event must be an object; received null") });
    expect(nameless?.problems).toEqual(invalid("event.name must be a non-empty string; received undefined"));
    expect(onRejected.mock.calls.map(([rejected]) => rejected)).toEqual(expect.arrayContaining([...report.rejections]));
  });

  it("lists at most 10,000 rejected events, and gives all to onRejected", async () => {
    const { billing } = service();
    const onRejected = vi.fn();
    const report = await ingestAll(billing, Array.from({ length: 10_500 }, () => ({})) as Event[], { onRejected });
    expect(report).toMatchObject({ rejected: 10_500, settled: 10_500 });
    expect(report.rejections).toHaveLength(10_000);
    expect(onRejected).toHaveBeenCalledTimes(10_500);
  });

  it("stores every event once through failures of every kind", async () => {
    const { billing, mock } = service({ timeout: 50 }, { seed: 7 });
    const kinds = ["reset", "empty-reply", "bad-status-line", "timeout", "malformed", "truncated"] as const;
    for (const kind of kinds) mock.fault({ kind, probability: 0.05 });
    for (const status of [429, 500, 503]) mock.fault({ status, probability: 0.05 });
    const report = await ingestAll(billing, eventsOf(2_000), { ...QUICK_RETRIES, maxBatchEvents: 50 });
    expect(mock.events.size).toBe(2_000);
    expect(report.inserted + report.duplicates).toBe(2_000);
    expect(report.retries).toBeGreaterThan(10);
  });

  it("reports its progress after each batch", async () => {
    const { billing } = service();
    const progress: IngestProgress[] = [];
    const onProgress = (each: IngestProgress) => progress.push(each);
    await ingestAll(billing, eventsOf(100), { ...QUICK_RETRIES, maxBatchEvents: 25, onProgress });
    expect(progress.map(({ inserted }) => inserted)).toEqual([25, 50, 75, 100]);
    expect(progress.at(-1)).toMatchObject({ read: 100, settled: 100 });
  });

  it("counts an event as settled only when all events before it are", async () => {
    const { mock, token } = service();
    const fetch = async (request: Request): Promise<Response> => {
      if ((await request.clone().text()).includes('"event-1"')) await sleep(100);
      return mock.fetch(request);
    };
    const billing = createClient({ accessToken: token, fetch });
    const progress: IngestProgress[] = [];
    const onProgress = (each: IngestProgress) => progress.push(each);
    await ingestAll(billing, eventsOf(100), { ...QUICK_RETRIES, maxBatchEvents: 25, concurrency: 4, onProgress });
    expect(progress.map(({ settled }) => settled).slice(0, -1)).toEqual([0, 0, 0]);
    expect(progress.at(-1)?.settled).toBe(100);
  });

  it("reads ahead at most one batch per request", async () => {
    const { token, mock } = service();
    let [read, sent, most] = [0, 0, 0];
    const fetch = async (request: Request): Promise<Response> => {
      await sleep(1);
      const response = await mock.fetch(request);
      sent += 10;
      return response;
    };
    function* source() {
      for (const event of eventsOf(1_000)) {
        read += 1;
        most = Math.max(most, read - sent);
        yield event;
      }
    }
    const billing = createClient({ accessToken: token, fetch });
    await ingestAll(billing, source(), { ...QUICK_RETRIES, maxBatchEvents: 10, concurrency: 3 });
    expect(most).toBeLessThanOrEqual(40);
  });

  it("sends at most `concurrency` requests at a time", async () => {
    const { token, mock } = service();
    let [running, most] = [0, 0];
    const fetch = async (request: Request): Promise<Response> => {
      running += 1;
      most = Math.max(most, running);
      await sleep(2);
      running -= 1;
      return mock.fetch(request);
    };
    const billing = createClient({ accessToken: token, fetch });
    await ingestAll(billing, eventsOf(200), { ...QUICK_RETRIES, maxBatchEvents: 10, concurrency: 3 });
    expect(most).toBe(3);
  });
});

it("ingestAll continues when a function of the user throws", async () => {
  const { billing, mock } = service();
  const warn = vi.fn();
  const fails = () => {
    throw new Error("mine");
  };
  const logger = { debug: () => {}, warn };
  mock.fault({ status: 500, times: 1 });
  const options = { onProgress: fails, onRejected: fails, onRetry: fails, logger, minRetryDelay: 1 };
  expect(await ingestAll(billing, [...eventsOf(2), bad("bad")], options)).toMatchObject({ inserted: 2, rejected: 1 });
  expect(warn.mock.calls.map(([message]) => message)).toEqual([
    "onRetry failed: mine",
    "onRejected failed: mine",
    "onProgress failed: mine",
  ]);
});
