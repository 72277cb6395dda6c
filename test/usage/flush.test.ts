import { describe, expect, it, vi } from "vitest";
import type { EventBufferOptions } from "../../src/usage/index.ts";
import type { Event } from "../../versions/2025-01/index.ts";
import { storages } from "./outboxes.ts";
import { buffer, eventsOf, service, sleep } from "./service.ts";

describe.each(Object.entries(storages))("with %s", (_, create) => {
  async function opened(options: EventBufferOptions<Event> = {}) {
    const storage = await create();
    const start = service();
    const open = (more: EventBufferOptions<Event> = {}) =>
      buffer(start.billing, { maxDelay: 60_000, ...options, ...more, outbox: storage.open() });
    return { ...start, storage, open };
  }

  it("two flushes at a time both wait for the events", async () => {
    const { open, mock } = await opened();
    const usage = open();
    for (let round = 1; round <= 20; round++) {
      await usage.add(eventsOf(1, round)[0]!);
      const stored = await Promise.all([1, 2].map(() => usage.flush().then(() => mock.events.size)));
      expect(stored).toEqual([round, round]);
    }
  });

  it("the first flush of a new buffer sends what an earlier one left", async (context) => {
    const { open, mock, storage } = await opened();
    if (!storage.durable) return context.skip();
    const fault = mock.fault({ status: 503 });
    const earlier = open();
    await Promise.all(eventsOf(499).map((event) => earlier.add(event)));
    await earlier.close({ timeout: 0 });
    expect(mock.events.size).toBe(0);
    mock.faults.remove(fault.id);
    const usage = open();
    await usage.flush();
    expect(mock.events.size).toBe(499);
    expect(await usage.stats()).toMatchObject({ queued: 0, sent: 499 });
  });

  it("the first flush of a new buffer rejects if the token is revoked", async (context) => {
    const { open, mock, storage, token } = await opened();
    if (!storage.durable) return context.skip();
    mock.revokeToken(token);
    const earlier = open();
    await earlier.add(eventsOf(1)[0]!);
    await earlier.close({ timeout: 0 });
    await expect(open().flush()).rejects.toMatchObject({ status: 401 });
  });

  it("a flush that coincides with a poll or another take waits for the events", async () => {
    const { open, mock } = await opened({ concurrency: 3 });
    const usage = open();
    for (let round = 1; round <= 60; round++) {
      await usage.add(eventsOf(1, round)[0]!);
      const noise = usage.flush();
      if (round % 3 === 0) await Promise.resolve();
      await usage.flush();
      expect(mock.events.size).toBe(round);
      await noise;
    }
  });

  it("a flush waits for events that another buffer of the same outbox sends", async (context) => {
    const { open, mock, storage } = await opened({ maxBatchEvents: 1 });
    if (!storage.shared) return context.skip();
    const [one, other] = [open(), open({ maxDelay: 1 })];
    mock.fault({ delay: 50 });
    for (let round = 1; round <= 5; round++) {
      await Promise.all([one.add(eventsOf(1, 2 * round)[0]!), other.add(eventsOf(1, 2 * round + 1)[0]!)]);
      await one.flush();
      expect(mock.events.size).toBe(2 * round);
    }
  });

  it("close stores every event whose add was not awaited, also those that wait for room", async () => {
    const { open, mock } = await opened({ maxQueued: 100 });
    const onDropped = vi.fn();
    const usage = open({ onDropped });
    const added = eventsOf(200).map((event) => usage.add(event));
    await usage.close();
    await Promise.all(added);
    expect(mock.events.size).toBe(200);
    expect(onDropped).not.toHaveBeenCalled();
    expect(await usage.stats()).toMatchObject({ queued: 0, sent: 200, dropped: 0 });
  });

  it("close waits for a flush in progress", async () => {
    const { open, mock } = await opened();
    const usage = open();
    await usage.add(eventsOf(1)[0]!);
    const flushed = usage.flush();
    await usage.close();
    await flushed;
    expect(mock.events.size).toBe(1);
    expect(await usage.stats()).toMatchObject({ queued: 0, sent: 1, dropped: 0 });
  });
});

describe("flush", () => {
  it("resolves at once if nothing is queued", async () => {
    const { billing, batches } = service();
    await buffer(billing).flush();
    expect(batches()).toEqual([]);
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
