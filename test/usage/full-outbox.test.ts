import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { memoryOutbox, type Outbox, OutboxError } from "../../src/usage/index.ts";
import { sqliteOutbox } from "../../src/usage/sqlite.ts";
import { newFolder } from "./outboxes.ts";
import { addAll, buffered, eventsOf, idsOf, sleep } from "./service.ts";

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

describe("while the outbox has no room", () => {
  it("add waits, and continues as soon as events are confirmed", async () => {
    const slow = { maxDelay: 60_000, minRetryDelay: 60_000, maxRetryDelay: 60_000 };
    const { add, ids, usage } = buffered({ outbox: limited(10), ...slow });
    await add(10);
    await add(30, 11);
    await usage.flush();
    expect(ids()).toEqual(idsOf(40));
  });

  it("add tries again after a delay if another process made room", async () => {
    const outbox = limited(1);
    const append = vi.spyOn(outbox, "append").mockRejectedValueOnce(new OutboxError("full", NO_ROOM));
    const { add, ids, usage } = buffered({ outbox });
    await add(1);
    await usage.flush();
    expect(append).toHaveBeenCalledTimes(2);
    expect(ids()).toEqual(idsOf(1));
  });

  it("add rejects an event for which even an empty outbox has no room", async () => {
    const { add, usage } = buffered({ outbox: limited(0) });
    await expect(add(1)).rejects.toMatchObject({ name: "OutboxError", reason: "full" });
    expect(await usage.stats()).toMatchObject({ queued: 0 });
  });

  it("close ends the wait with an error", async () => {
    const { add, mock, usage } = buffered({ outbox: limited(1, true), minRetryDelay: 10_000 });
    mock.fault({ status: 503 });
    await add(1);
    const message = expect.stringContaining("closed while the outbox was full; the event may not be stored");
    const rejects = expect(add(1, 2)).rejects.toMatchObject({ name: "EventBufferError", reason: "closed", message });
    await sleep(20);
    await usage.close({ timeout: 10 });
    await rejects;
  });

  it("add rejects with `reject`, and names the reason of the outbox", async () => {
    const { add, ids, usage } = buffered({ outbox: limited(10), whenFull: "reject", maxDelay: 60_000 });
    await add(8);
    const message = `add: the outbox is full: ${NO_ROOM}`;
    await expect(add(3, 9)).rejects.toMatchObject({ name: "EventBufferError", reason: "full", message });
    expect(await usage.stats()).toMatchObject({ queued: 8 });
    await usage.flush();
    await add(1, 9);
    await usage.flush();
    expect(ids()).toEqual(idsOf(9));
  });

  it.each([3, 30])("add of %i events drops the oldest with `drop-oldest`, and reports them", async (count) => {
    const options = { outbox: limited(10), whenFull: "drop-oldest", maxDelay: 60_000 } as const;
    const { add, dropped, ids, reasons, usage } = buffered(options);
    await add(10);
    await add(count, 11);
    await usage.flush();
    const lost = dropped().length;
    expect(dropped()).toEqual(eventsOf(lost));
    expect(ids()).toEqual(idsOf(10 + count - lost, lost + 1));
    expect(ids().at(-1)).toBe(`event-${10 + count}`);
    expect(reasons()).toEqual(["full"]);
    expect(await usage.stats()).toMatchObject({ queued: 0, dropped: lost });
  });

  it("`drop-oldest` does not empty an outbox that still has no room", async () => {
    const outbox = limited(100);
    const { add, usage } = buffered({ outbox, whenFull: "drop-oldest", maxDelay: 60_000 });
    await add(100);
    vi.spyOn(outbox, "append").mockRejectedValue(new OutboxError("full", NO_ROOM));
    await expect(add(1, 101)).rejects.toMatchObject({ name: "EventBufferError", reason: "full" });
    expect(await usage.stats()).toMatchObject({ queued: 90, dropped: 10 });
  });
});

it("a full file of sqliteOutbox makes add wait, and loses nothing", async () => {
  const { ids, usage } = buffered({ outbox: sqliteOutbox(join(newFolder(), "usage.db"), { maxFileBytes: 100_000 }) });
  const events = eventsOf(300).map((event) => ({ ...event, metadata: { note: "x".repeat(1_000) } }));
  await addAll(usage, events);
  await usage.close();
  expect(ids()).toEqual(idsOf(300));
});
