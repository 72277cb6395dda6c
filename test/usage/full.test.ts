import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { memoryOutbox, type Outbox, OutboxError } from "../../src/usage/index.ts";
import { buffered, eventsOf, idsOf, through } from "./service.ts";

const NO_ROOM = "no room in this outbox";

/** Creates an outbox that rejects more than a number of events. */
function limited(capacity: number, durable = false): Outbox {
  const outbox = memoryOutbox();
  const append = outbox.append.bind(outbox);
  outbox.append = async (events) => {
    if ((await outbox.state()).events + events.length > capacity) throw new OutboxError("full", NO_ROOM);
    return append(events);
  };
  return Object.assign(outbox, { durable });
}

/** Limits of ten events, and the error for an event beyond them. */
const limits = {
  maxQueued: {
    options: () => ({ maxQueued: 10 }),
    message: 'add: the buffer is full: 10 events are queued. Raise maxQueued, or set whenFull to "wait"',
  },
  "the outbox": { options: () => ({ outbox: limited(10) }), message: `add: the outbox is full: ${NO_ROOM}` },
};

describe.each(Object.entries(limits))("when %s leaves no room", (_, { options, message }) => {
  it("add waits by default, and continues as soon as events are confirmed", async () => {
    const slow = { maxDelay: 60_000, minRetryDelay: 60_000, maxRetryDelay: 60_000 };
    const { promise, resolve } = Promise.withResolvers<void>();
    const given = through(() => promise);
    const { add, ids, usage } = buffered({ ...options(), ...slow }, given);
    await add(10);
    const done = vi.fn();
    const added = add(30, 11).then(done);
    await sleep(50);
    expect(done).not.toHaveBeenCalled();
    resolve();
    await added;
    await usage.flush();
    expect(ids()).toEqual(idsOf(40));
  });

  it("add rejects with `reject`, which is counted, and logged once", async () => {
    const [logger, logLevel] = [{ debug: vi.fn(), warn: vi.fn() }, "warn"] as const;
    const { add, ids, usage } = buffered({ ...options(), whenFull: "reject", maxDelay: 60_000, logger, logLevel });
    await add(10);
    await expect(add(2, 11)).rejects.toMatchObject({ name: "EventBufferError", reason: "full", message });
    await expect(add(1, 11)).rejects.toThrow(message);
    expect(await usage.stats()).toMatchObject({ queued: 10, overflowed: 3 });
    const warning = `Usage events are not queued: ${message}`;
    expect(logger.warn.mock.calls).toEqual([[warning, { queued: expect.any(Number), error: "EventBufferError" }]]);
    await usage.flush();
    await add(1, 11);
    await usage.flush();
    expect(ids()).toEqual(idsOf(11));
  });
});

describe("maxQueued", () => {
  it("is never exceeded, however many calls there are, and every event is kept", async () => {
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

  it("is not exceeded by calls of add before the events of an earlier process are counted", async () => {
    const outbox = memoryOutbox();
    await outbox.append(Array(8).fill({ json: "{}", bytes: 2 }));
    const { mock, usage } = buffered({ outbox, maxQueued: 10, whenFull: "reject" });
    mock.fault({ status: 503 });
    const ends = await Promise.allSettled(eventsOf(5).map((event) => usage.add(event)));
    expect(ends.map(({ status }) => status === "fulfilled")).toEqual([true, true, false, false, false]);
    expect(ends[4]).toMatchObject({ reason: { reason: "full", message: limits.maxQueued.message } });
  });
});

it("memory holds at most 100 MB of events in the outbox, and as much in calls of add that wait for room", async () => {
  const { mock, usage } = buffered({ maxDelay: 60_000 });
  mock.fault({ status: 503 });
  const metadata = { text: "x".repeat(3_990_000) };
  const add = () => usage.add({ name: "api.call", external_customer_id: "acme", metadata });
  await Promise.all(Array.from({ length: 25 }, add));
  const waiting = Array.from({ length: 25 }, add);
  await expect(add()).rejects.toThrow("calls with 100000000 bytes are waiting for room; await each call to add");
  await sleep(50);
  expect(await usage.stats()).toMatchObject({ queued: 25 });
  await usage.close({ timeout: 0 }).catch(() => undefined);
  expect(new Set((await Promise.allSettled(waiting)).map(({ status }) => status))).toEqual(new Set(["rejected"]));
});

describe("an outbox without room", () => {
  it("is tried again after a delay, because another process may make room", async () => {
    const outbox = limited(1);
    const append = vi.spyOn(outbox, "append").mockRejectedValueOnce(new OutboxError("full", NO_ROOM));
    const { add, ids, usage } = buffered({ outbox });
    await add(1);
    await usage.flush();
    expect(append).toHaveBeenCalledTimes(2);
    expect(ids()).toEqual(idsOf(1));
  });

  it("stores the events of one turn that fit, and rejects the others with `reject`", async () => {
    const { ids, usage } = buffered({ outbox: limited(10), whenFull: "reject", maxDelay: 60_000 });
    const ends = await Promise.allSettled(eventsOf(12).map((event) => usage.add(event)));
    expect(ends.filter(({ status }) => status === "rejected")).toHaveLength(2);
    await usage.flush();
    expect(ids()).toEqual(idsOf(10));
  });

  it("ends the wait of add with an error when the buffer is closed", async () => {
    const { add, mock, usage } = buffered({ outbox: limited(1, true), minRetryDelay: 10_000 });
    mock.fault({ status: 503 });
    await add(1);
    const message = "add: the buffer is closed; the event is not stored";
    const rejects = expect(add(1, 2)).rejects.toMatchObject({ name: "EventBufferError", reason: "closed", message });
    await sleep(20);
    await usage.close({ timeout: 10 });
    await rejects;
  });
});
