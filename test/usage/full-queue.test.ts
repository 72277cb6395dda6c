import { describe, expect, it, vi } from "vitest";
import { memoryOutbox } from "../../src/usage/index.ts";
import { buffered, eventsOf, idsOf, sleep } from "./service.ts";

describe("when maxQueued events are queued", () => {
  it("add waits for room by default", async () => {
    const { add, mock, usage } = buffered({ maxQueued: 10 });
    mock.fault({ delay: 300, times: 1 });
    await add(10);
    let isAdded = false;
    const added = add(1, 11).then(() => {
      isAdded = true;
    });
    await sleep(100);
    expect(isAdded).toBe(false);
    await added;
    await usage.flush();
    expect(mock.events.size).toBe(11);
  });

  it("add never queues more, however many calls there are, and keeps every event", async () => {
    const outbox = memoryOutbox();
    const { add, ids, usage } = buffered({ outbox, maxQueued: 10, maxBatchEvents: 4, concurrency: 1 });
    let most = 0;
    const append = outbox.append.bind(outbox);
    outbox.append = async (events) => {
      await append(events);
      most = Math.max(most, (await outbox.state()).events);
    };
    await add(100);
    await usage.flush();
    expect(most).toBeLessThanOrEqual(10);
    expect(ids()).toEqual(idsOf(100));
  });

  it("at most 10,000 calls of add wait", async () => {
    const { mock, usage } = buffered({ maxQueued: 1 });
    mock.fault({ status: 503 });
    const added = eventsOf(10_002).map((event) => usage.add(event));
    await expect(added.at(-1)).rejects.toThrow("10000 calls are waiting for room; await each call to add");
    await usage.close({ timeout: 0 }).catch(() => undefined);
    const ends = await Promise.allSettled(added);
    expect(ends.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(ends[1]).toMatchObject({ reason: { name: "EventBufferError", reason: "closed" } });
  });

  it("add rejects with `reject`", async () => {
    const { add, mock, usage } = buffered({ maxQueued: 10, whenFull: "reject", maxDelay: 60_000 });
    const added = await Promise.allSettled(eventsOf(12).map((event) => usage.add(event)));
    const rejected = added.flatMap((each) => (each.status === "rejected" ? each.reason : []));
    const message = 'add: the buffer is full: 10 events are queued. Raise maxQueued, or set whenFull to "wait"';
    expect(rejected).toHaveLength(2);
    expect(rejected[0]).toMatchObject({ name: "EventBufferError", reason: "full", message });
    await usage.flush();
    expect(mock.events.size).toBe(10);
    await add(1, 11);
  });

  it.each([
    [8, "at once"],
    [200, "at once"],
    [25, "one after the other"],
  ])("`drop-oldest` keeps the newest 10 of %i events added %s, and reports the others", async (count, how) => {
    const options = { maxQueued: 10, whenFull: "drop-oldest", maxDelay: 60_000 } as const;
    const { add, dropped, ids, reasons, usage } = buffered(options);
    if (how === "at once") await add(count);
    else for (let index = 1; index <= count; index++) await add(1, index);
    const kept = Math.min(10, count);
    expect(await usage.stats()).toMatchObject({ queued: kept, dropped: count - kept });
    await usage.flush();
    expect(ids()).toEqual(idsOf(kept, count - kept + 1));
    expect(dropped()).toEqual(eventsOf(count - kept));
    expect(reasons()).toEqual(count > kept ? ["full"] : []);
  });

  it("events being sent are not dropped", async () => {
    // A flush ends the delay.
    const slow = { minRetryDelay: 60_000, maxRetryDelay: 60_000, maxBatchEvents: 10, concurrency: 1 };
    const { add, ids, mock, usage } = buffered({ maxQueued: 10, whenFull: "drop-oldest", ...slow });
    mock.fault({ status: 503, times: 1 });
    await add(10);
    await vi.waitFor(() => expect(mock.requests.count).toBe(1));
    for (let index = 11; index <= 30; index++) await add(1, index);
    await usage.flush();
    expect(ids()).toEqual([...idsOf(10), ...idsOf(10, 21)]);
  });
});
