import { describe, expect, it, vi } from "vitest";
import { ingestAll } from "../../src/usage/index.ts";
import { createClient } from "../../versions/2025-01/index.ts";
import { eventsOf, QUICK_RETRIES, service, sleep } from "./service.ts";

it("ingestAll counts events as unconfirmed if the numbers of a response differ from the batch", async () => {
  const billing = { events: { ingest: async () => ({ inserted: 2, duplicates: 0 }) } };
  const warn = vi.fn();
  const report = await ingestAll(billing, eventsOf(3), { logger: { debug: () => {}, warn } });
  expect(report).toMatchObject({ inserted: 2, unconfirmed: 3, settled: 3 });
  expect(warn.mock.calls).toEqual([[expect.stringContaining("2 inserted and 0 duplicates to a request with 3"), {}]]);
});

describe("ingestAll rejects", () => {
  it.each([400, 401, 403, 404])("after status %i, and stops reading", async (status) => {
    const { billing, mock } = service();
    mock.fault({ status });
    let isStopped = false;
    function* source() {
      try {
        yield* eventsOf(100_000);
      } finally {
        isStopped = true;
      }
    }
    await expect(ingestAll(billing, source(), QUICK_RETRIES)).rejects.toMatchObject({ name: "ApiError", status });
    expect(isStopped).toBe(true);
    expect(mock.requests.count).toBeLessThanOrEqual(8);
  });

  it("with the last error when nothing succeeds for retryFor", async () => {
    const { billing, mock } = service();
    mock.fault({ kind: "reset" });
    const onRetry = vi.fn();
    const started = performance.now();
    const run = ingestAll(billing, eventsOf(10), { ...QUICK_RETRIES, retryFor: 200, onRetry });
    await expect(run).rejects.toMatchObject({ name: "NetworkError" });
    expect(performance.now() - started).toBeGreaterThan(150);
    expect(onRetry).toHaveBeenCalled();
    expect(onRetry.mock.calls[0]?.[0]).toMatchObject({ attempt: 1, events: 10, error: { name: "NetworkError" } });
  });

  it("not while requests succeed in between, however long the run takes", async () => {
    const { mock, token } = service();
    let requests = 0;
    const fetch = async (request: Request): Promise<Response> => {
      await sleep(30);
      requests += 1;
      return requests % 2 === 1 ? new Response(null, { status: 503 }) : mock.fetch(request);
    };
    const billing = createClient({ accessToken: token, fetch, logLevel: "off" });
    const options = { ...QUICK_RETRIES, maxBatchEvents: 1, concurrency: 1, retryFor: 100 };
    expect(await ingestAll(billing, eventsOf(5), options)).toMatchObject({ inserted: 5, retries: 5 });
  });

  it("when the signal aborts, also while it waits for Retry-After", async () => {
    const { billing, mock } = service();
    mock.fault({ status: 503, retryAfter: 100 });
    const signal = AbortSignal.timeout(50);
    await expect(ingestAll(billing, eventsOf(10), { ...QUICK_RETRIES, signal })).rejects.toMatchObject({
      name: "TimeoutError",
    });
  });

  it("when the signal aborts while the source does not answer", async () => {
    const { billing } = service();
    const stop = new AbortController();
    const source = { [Symbol.asyncIterator]: () => ({ next: () => new Promise<never>(() => {}) }) };
    setTimeout(() => stop.abort(), 20);
    const run = ingestAll(billing, source, { signal: stop.signal });
    await expect(run).rejects.toMatchObject({ name: "AbortedError" });
  });

  it.each([0, 1, 2, 3, 4, 5, 6, 7])("when the signal aborts %i microtasks after an event was read", async (count) => {
    const { billing } = service();
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
    const run = ingestAll(billing, source(), { signal: stop.signal, maxBatchEvents: 1, concurrency: 1, onProgress });
    await expect(run).rejects.toMatchObject({ name: "AbortedError" });
  });

  it("with the error of the service if stopping the source fails", async () => {
    const { billing, mock } = service();
    mock.fault({ status: 403 });
    function* source() {
      try {
        yield* eventsOf(100_000);
      } finally {
        // biome-ignore lint/correctness/noUnsafeFinally: the source fails here.
        throw new Error("not stopped");
      }
    }
    await expect(ingestAll(billing, source(), QUICK_RETRIES)).rejects.toMatchObject({ name: "ApiError", status: 403 });
  });

  it("when the signal has aborted before", async () => {
    const { billing, batches } = service();
    const run = ingestAll(billing, eventsOf(10), { signal: AbortSignal.abort() });
    await expect(run).rejects.toMatchObject({ name: "AbortedError" });
    expect(batches()).toEqual([]);
  });

  it("with the error of the source, after the requests in progress", async () => {
    const { billing, mock } = service();
    function* source() {
      yield* eventsOf(20);
      throw new Error("file is gone");
    }
    const run = ingestAll(billing, source(), { ...QUICK_RETRIES, maxBatchEvents: 10, concurrency: 1 });
    await expect(run).rejects.toThrow("file is gone");
    expect(mock.events.size).toBe(20);
  });

  it.each([
    [7, {}, "ingestAll: events must be an iterable or async iterable of events; received number"],
    [{}, {}, "ingestAll: events must be an iterable or async iterable of events; received object"],
    [[], { concurency: 2 }, 'ingestAll: unknown option "concurency". Did you mean "concurrency"?'],
    [[], { concurrency: 0 }, "ingestAll: concurrency must be an integer from 1 to 100; received 0"],
    [[], { signal: 1 }, "ingestAll: signal must be an AbortSignal; received number"],
    [[], { onProgress: 1 }, "ingestAll: onProgress must be a function; received number"],
  ])("the arguments %j and %j", async (events, options, message) => {
    const { billing } = service();
    await expect(ingestAll(billing, events as never, options as never)).rejects.toThrow(message);
  });
});
