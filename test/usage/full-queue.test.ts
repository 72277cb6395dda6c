import { describe, expect, it, vi } from "vitest";
import { memoryOutbox } from "../../src/usage/index.ts";
import { buffer, byNumber, eventsOf, service, sleep } from "./service.ts";

/** A flush ends the delay. */
const SLOW_RETRIES = { minRetryDelay: 60_000, maxRetryDelay: 60_000 };

describe("when maxQueued events are queued", () => {
  it("add waits for room by default", async () => {
    const { billing, mock } = service();
    mock.fault({ delay: 300, times: 1 });
    const usage = buffer(billing, { maxQueued: 10 });
    await Promise.all(eventsOf(10).map((event) => usage.add(event)));
    let isAdded = false;
    const added = usage.add(eventsOf(1, 11)[0]!).then(() => {
      isAdded = true;
    });
    await sleep(100);
    expect(isAdded).toBe(false);
    await added;
    await usage.flush();
    expect(mock.events.size).toBe(11);
  });

  it("add never queues more, however many calls there are, and keeps their order", async () => {
    const { billing, mock } = service();
    const outbox = memoryOutbox();
    const usage = buffer(billing, { outbox, maxQueued: 10, maxBatchEvents: 4, concurrency: 1 });
    let most = 0;
    const append = outbox.append.bind(outbox);
    outbox.append = async (events) => {
      await append(events);
      most = Math.max(most, (await outbox.state()).events);
    };
    await Promise.all(eventsOf(100).map((event) => usage.add(event)));
    await usage.flush();
    expect(most).toBeLessThanOrEqual(10);
    expect(
      mock.events
        .list()
        .map(({ external_id }) => external_id)
        .toSorted(byNumber),
    ).toEqual(eventsOf(100).map(({ external_id }) => external_id));
  });

  it("at most 10,000 calls of add wait", async () => {
    const { billing, mock } = service();
    mock.fault({ status: 503 });
    const usage = buffer(billing, { maxQueued: 1 });
    const added = eventsOf(10_002).map((event) => usage.add(event));
    await expect(added.at(-1)).rejects.toThrow("10000 calls are waiting for room; await each call to add");
    await usage.close({ timeout: 0 }).catch(() => undefined);
    const ends = await Promise.allSettled(added);
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(ends[1]).toMatchObject({ reason: { name: "EventBufferError", reason: "closed" } });
  });

  it("add rejects with `reject`", async () => {
    const { billing, mock } = service();
    const usage = buffer(billing, { maxQueued: 10, whenFull: "reject", maxDelay: 60_000 });
    const added = await Promise.allSettled(eventsOf(12).map((event) => usage.add(event)));
    const rejected = added.flatMap((each) => (each.status === "rejected" ? each.reason : []));
    expect(rejected).toHaveLength(2);
    expect(rejected[0]).toMatchObject({ name: "EventBufferError", reason: "full" });
    expect(rejected[0].message).toBe(
      'add: the buffer is full: 10 events are queued. Raise maxQueued, or set whenFull to "wait"',
    );
    await usage.flush();
    expect(mock.events.size).toBe(10);
    await usage.add(eventsOf(1, 11)[0]!);
  });

  it("add drops the oldest events with `drop-oldest`, and reports them", async () => {
    const { billing, mock } = service();
    const onDropped = vi.fn();
    const usage = buffer(billing, { maxQueued: 10, whenFull: "drop-oldest", maxDelay: 60_000, onDropped });
    for (const event of eventsOf(25)) await usage.add(event);
    expect(await usage.stats()).toMatchObject({ queued: 10, dropped: 15 });
    await usage.flush();
    expect(mock.events.list().map(({ external_id }) => external_id)).toEqual(
      eventsOf(10, 16).map(({ external_id }) => external_id),
    );
    expect(onDropped.mock.calls.flatMap(([events]) => events)).toEqual(eventsOf(15));
    expect(onDropped).toHaveBeenCalledWith(expect.anything(), "full");
  });

  it.each([8, 30, 200])("`drop-oldest` keeps the newest 10 of %i events added at once", async (count) => {
    const { billing, mock } = service();
    const onDropped = vi.fn();
    const usage = buffer(billing, { maxQueued: 10, whenFull: "drop-oldest", maxDelay: 60_000, onDropped });
    await Promise.all(eventsOf(count).map((event) => usage.add(event)));
    await usage.flush();
    const kept = Math.min(10, count);
    expect(mock.events.list().map(({ external_id }) => external_id)).toEqual(
      eventsOf(kept, count - kept + 1).map(({ external_id }) => external_id),
    );
    expect(onDropped.mock.calls.flatMap(([events]) => events)).toEqual(eventsOf(count - kept));
  });

  it("events being sent are not dropped", async () => {
    const { billing, mock } = service();
    mock.fault({ status: 503, times: 1 });
    const usage = buffer(billing, {
      maxQueued: 10,
      whenFull: "drop-oldest",
      maxBatchEvents: 10,
      concurrency: 1,
      ...SLOW_RETRIES,
    });
    await Promise.all(eventsOf(10).map((event) => usage.add(event)));
    await vi.waitFor(() => expect(mock.requests.count).toBe(1));
    for (const event of eventsOf(20, 11)) await usage.add(event);
    await usage.flush();
    const ids = mock.events.list().map(({ external_id }) => external_id);
    expect(ids.toSorted(byNumber)).toEqual(
      [...eventsOf(10), ...eventsOf(10, 21)].map(({ external_id }) => external_id),
    );
  });
});
