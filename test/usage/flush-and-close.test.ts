import { describe, expect, it, vi } from "vitest";
import { createEventBuffer } from "../../src/usage/index.ts";
import { buffer, eventsOf, service, sleep } from "./service.ts";

describe("flush", () => {
  it("resolves at once if nothing is queued", async () => {
    const { billing, batches } = service();
    await buffer(billing).flush();
    expect(batches()).toEqual([]);
  });

  it("waits for events whose `add` was not awaited", async () => {
    const { billing, mock } = service();
    const usage = buffer(billing);
    void usage.add(eventsOf(1)[0]!);
    await usage.flush();
    expect(mock.events.size).toBe(1);
  });

  it("waits through an outage", async () => {
    const { billing, mock } = service();
    mock.fault({ kind: "reset", times: 5 });
    const usage = buffer(billing);
    await usage.add(eventsOf(1)[0]!);
    await usage.flush();
    expect(await usage.stats()).toMatchObject({ sent: 1, retries: 5 });
  });

  it("ends although events are added all the time", async () => {
    const { billing, mock } = service();
    const usage = buffer(billing, { maxDelay: 60_000 });
    await Promise.all(eventsOf(1_000).map((event) => usage.add(event)));
    let isDone = false;
    let added = 1_000;
    const flushed = usage.flush().finally(() => {
      isDone = true;
    });
    while (!isDone) {
      await Promise.all(eventsOf(100, added).map((event) => usage.add(event)));
      added += 100;
      await sleep(0);
    }
    await flushed;
    const ids = new Set(mock.events.list().map(({ external_id }) => external_id));
    expect(eventsOf(1_000).every(({ external_id }) => ids.has(external_id))).toBe(true);
  });

  it("rejects with an error that retrying cannot cure, and the events stay queued", async () => {
    const { billing, mock, token } = service();
    const onError = vi.fn();
    const usage = buffer(billing, { onError, maxRetryDelay: 60_000 });
    mock.revokeToken(token);
    await usage.add(eventsOf(1)[0]!);
    await expect(usage.flush()).rejects.toMatchObject({ name: "ApiError", status: 401 });
    await expect(usage.flush()).rejects.toMatchObject({ name: "ApiError", status: 401 });
    expect(await usage.stats()).toMatchObject({ queued: 1, sent: 0 });
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ status: 401 }));
  });
});

describe("close", () => {
  it("sends what is queued, and is called at the end of an `await using`", async () => {
    const { billing, mock } = service();
    {
      await using usage = createEventBuffer(billing, { maxDelay: 60_000 });
      await usage.add(eventsOf(1)[0]!);
    }
    expect(mock.events.size).toBe(1);
  });

  it("returns the same promise for every call, and stats still works", async () => {
    const { billing } = service();
    const usage = buffer(billing);
    await usage.add(eventsOf(1)[0]!);
    expect(usage.close()).toBe(usage.close());
    await usage.close();
    expect(await usage.stats()).toMatchObject({ queued: 0, sent: 1 });
  });

  it("rejects later events", async () => {
    const { billing } = service();
    const usage = buffer(billing);
    await usage.close();
    await expect(usage.add(eventsOf(1)[0]!)).rejects.toMatchObject({ name: "EventBufferError", reason: "closed" });
    await expect(usage.add(eventsOf(1)[0]!)).rejects.toThrow("add: the buffer is closed; the event is not stored");
  });

  it("gives lost events to onDropped and rejects if the outbox is not durable", async () => {
    const { billing, mock } = service();
    mock.fault({ status: 503 });
    const onDropped = vi.fn();
    const usage = buffer(billing, { onDropped, maxBatchEvents: 2 });
    await Promise.all(eventsOf(5).map((event) => usage.add(event)));
    const closed = usage.close({ timeout: 30 });
    await expect(closed).rejects.toMatchObject({ name: "EventBufferError", reason: "unsent" });
    await expect(closed).rejects.toThrow(
      "close: lost 5 events (not sent within 30 ms). They were passed to onDropped, if it is set",
    );
    expect(onDropped.mock.calls.flatMap(([events]) => events)).toHaveLength(5);
    expect(onDropped).toHaveBeenCalledWith(expect.anything(), "closed");
    expect(await usage.stats()).toMatchObject({ queued: 0, dropped: 5 });
  });

  it("names the error that prevented sending", async () => {
    const { billing, mock, token } = service();
    mock.revokeToken(token);
    const usage = buffer(billing);
    await usage.add(eventsOf(1)[0]!);
    await expect(usage.close()).rejects.toThrow("close: lost 1 event (events:ingest: 401");
  });

  it("ends a request that gets no answer", async () => {
    const { billing, mock } = service();
    mock.fault({ kind: "timeout" });
    const usage = buffer(billing, { maxBatchEvents: 1 });
    await usage.add(eventsOf(1)[0]!);
    await vi.waitFor(() => expect(mock.requests.count).toBe(1));
    const started = performance.now();
    await expect(usage.close({ timeout: 20 })).rejects.toMatchObject({ reason: "unsent" });
    expect(performance.now() - started).toBeLessThan(1_000);
  });

  it("rejects an invalid timeout", async () => {
    const { billing } = service();
    await expect(buffer(billing).close({ timeout: -1 })).rejects.toThrow("close: timeout must be an integer from 0 to");
  });
});
