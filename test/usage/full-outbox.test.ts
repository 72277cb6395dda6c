import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { memoryOutbox, type Outbox, OutboxError } from "../../src/usage/index.ts";
import { redisOutbox } from "../../src/usage/redis.ts";
import { sqliteOutbox } from "../../src/usage/sqlite.ts";
import { hasRedis } from "../support/redis-server.ts";
import { connect, opened } from "./redis-clients.ts";
import { buffer, byNumber, eventsOf, service, sleep } from "./service.ts";

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

const idsOf = (mock: ReturnType<typeof service>["mock"]) =>
  mock.events
    .list()
    .map(({ external_id }) => external_id)
    .toSorted(byNumber);

const ids = (count: number, first = 1) => eventsOf(count, first).map(({ external_id }) => external_id);

describe("while the outbox has no room", () => {
  it("add waits, and continues as soon as events are confirmed", async () => {
    const { billing, mock } = service();
    const usage = buffer(billing, {
      outbox: limited(10),
      maxDelay: 60_000,
      minRetryDelay: 60_000,
      maxRetryDelay: 60_000,
    });
    await Promise.all(eventsOf(10).map((event) => usage.add(event)));
    await Promise.all(eventsOf(30, 11).map((event) => usage.add(event)));
    await usage.flush();
    expect(idsOf(mock)).toEqual(ids(40));
  });

  it("add tries again after a delay if another process made room", async () => {
    const { billing, mock } = service();
    const outbox = limited(1);
    const append = vi.spyOn(outbox, "append").mockRejectedValueOnce(new OutboxError("full", NO_ROOM));
    const usage = buffer(billing, { outbox });
    await usage.add(eventsOf(1)[0]!);
    await usage.flush();
    expect(append).toHaveBeenCalledTimes(2);
    expect(idsOf(mock)).toEqual(ids(1));
  });

  it("add rejects an event for which even an empty outbox has no room", async () => {
    const { billing } = service();
    const usage = buffer(billing, { outbox: limited(0) });
    await expect(usage.add(eventsOf(1)[0]!)).rejects.toMatchObject({ name: "OutboxError", reason: "full" });
    expect(await usage.stats()).toMatchObject({ queued: 0 });
  });

  it("close ends the wait with an error", async () => {
    const { billing, mock } = service();
    mock.fault({ status: 503 });
    const usage = buffer(billing, { outbox: limited(1, true), minRetryDelay: 10_000 });
    await usage.add(eventsOf(1)[0]!);
    const added = usage.add(eventsOf(1, 2)[0]!);
    added.catch(() => undefined);
    await sleep(20);
    await usage.close({ timeout: 10 });
    await expect(added).rejects.toMatchObject({ name: "EventBufferError", reason: "closed" });
    await expect(added).rejects.toThrow("closed while the outbox was full; the event may not be stored");
  });

  it("add rejects with `reject`, and names the reason of the outbox", async () => {
    const { billing, mock } = service();
    const usage = buffer(billing, { outbox: limited(10), whenFull: "reject", maxDelay: 60_000 });
    await Promise.all(eventsOf(8).map((event) => usage.add(event)));
    const added = Promise.all(eventsOf(3, 9).map((event) => usage.add(event)));
    await expect(added).rejects.toMatchObject({ name: "EventBufferError", reason: "full" });
    await expect(added).rejects.toThrow(`add: the outbox is full: ${NO_ROOM}`);
    expect(await usage.stats()).toMatchObject({ queued: 8 });
    await usage.flush();
    await usage.add(eventsOf(1, 9)[0]!);
    await usage.flush();
    expect(idsOf(mock)).toEqual(ids(9));
  });

  it.each([3, 30])("add of %i events drops the oldest with `drop-oldest`, and reports them", async (count) => {
    const { billing, mock } = service();
    const onDropped = vi.fn();
    const usage = buffer(billing, { outbox: limited(10), whenFull: "drop-oldest", maxDelay: 60_000, onDropped });
    await Promise.all(eventsOf(10).map((event) => usage.add(event)));
    await Promise.all(eventsOf(count, 11).map((event) => usage.add(event)));
    await usage.flush();
    const dropped = onDropped.mock.calls.flatMap(([events]) =>
      events.map(({ external_id }: { external_id: string }) => external_id),
    );
    expect([...dropped, ...idsOf(mock)].toSorted(byNumber)).toEqual(ids(10 + count));
    expect(idsOf(mock).at(-1)).toBe(`event-${10 + count}`);
    expect(dropped).toEqual(ids(dropped.length));
    expect(onDropped).toHaveBeenCalledWith(expect.anything(), "full");
    expect(await usage.stats()).toMatchObject({ queued: 0, dropped: dropped.length });
  });

  it("`drop-oldest` does not empty an outbox that still has no room", async () => {
    const { billing } = service();
    const outbox = limited(100);
    const usage = buffer(billing, { outbox, whenFull: "drop-oldest", maxDelay: 60_000, onDropped: () => {} });
    await Promise.all(eventsOf(100).map((event) => usage.add(event)));
    vi.spyOn(outbox, "append").mockRejectedValue(new OutboxError("full", NO_ROOM));
    await expect(usage.add(eventsOf(1, 101)[0]!)).rejects.toMatchObject({ name: "EventBufferError", reason: "full" });
    expect(await usage.stats()).toMatchObject({ queued: 90, dropped: 10 });
  });
});

it("a full file of sqliteOutbox makes add wait, and loses nothing", async () => {
  const folder = mkdtempSync(join(tmpdir(), "full-outbox-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const { billing, mock } = service();
  const usage = buffer(billing, { outbox: sqliteOutbox(join(folder, "usage.db"), { maxFileBytes: 100_000 }) });
  const events = eventsOf(300).map((event) => ({ ...event, metadata: { note: "x".repeat(1_000) } }));
  await Promise.all(events.map((event) => usage.add(event)));
  await usage.close();
  expect(idsOf(mock)).toEqual(ids(300));
});

it.runIf(hasRedis)("several buffers wait for room in one Redis, and lose nothing", async () => {
  const { server, open } = await opened({ capacity: 20, pollInterval: 20 });
  const other = redisOutbox(await connect(server.url), { capacity: 20, pollInterval: 20 });
  const { billing, mock } = service();
  const buffers = [open(), other].map((outbox) => buffer(billing, { outbox, maxBatchEvents: 5 }));
  const added = eventsOf(200).map((event, index) => buffers[index % 2]!.add(event));
  await Promise.all(added);
  await Promise.all(buffers.map((usage) => usage.close()));
  expect(idsOf(mock)).toEqual(ids(200));
});
