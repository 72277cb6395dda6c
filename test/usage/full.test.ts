import { expect, it, vi } from "vitest";
import { memoryOutbox, type Outbox, OutboxError } from "../../src/usage/index.ts";
import { buffered, eventsOf, idsOf } from "./service.ts";

const NO_ROOM = "no room in this outbox";

/** Creates an outbox that rejects more than a number of events. */
function limited(capacity: number): Outbox {
  const outbox = memoryOutbox();
  const append = outbox.append.bind(outbox);
  outbox.append = async (events) => {
    if ((await outbox.state()).events + events.length > capacity) throw new OutboxError("full", NO_ROOM);
    return append(events);
  };
  return outbox;
}

/** Limits of ten events, and the error for an event beyond them. */
const limits = {
  maxQueued: {
    options: () => ({ maxQueued: 10 }),
    message: "add: the buffer is full: 10 events are queued",
  },
  "the outbox": { options: () => ({ outbox: limited(10) }), message: `add: the outbox is full: ${NO_ROOM}` },
};

it.each(Object.entries(limits))(
  "when %s leaves no room, add rejects, which is counted, and logged once",
  async (_, { options, message }) => {
    const [logger, logLevel] = [{ debug: vi.fn(), warn: vi.fn() }, "warn"] as const;
    const { add, ids, usage } = buffered({ ...options(), maxDelay: 60_000, logger, logLevel });
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
  },
);

it("maxQueued is not exceeded by calls of add before the events of an earlier process are counted", async () => {
  const outbox = memoryOutbox();
  await outbox.append(Array(8).fill({ json: "{}", bytes: 2 }));
  const { mock, usage } = buffered({ outbox, maxQueued: 10 });
  mock.fault({ status: 503 });
  const ends = await Promise.allSettled(eventsOf(5).map((event) => usage.add(event)));
  expect(ends.map(({ status }) => status === "fulfilled")).toEqual([true, true, false, false, false]);
  expect(ends[4]).toMatchObject({ reason: { reason: "full", message: limits.maxQueued.message } });
});

it("memory holds at most 100 MB of events", async () => {
  const { mock, usage } = buffered({ maxDelay: 60_000 });
  mock.fault({ status: 503 });
  const metadata = { text: "x".repeat(3_990_000) };
  const add = () => usage.add({ name: "api.call", external_customer_id: "acme", metadata });
  for (let events = 0; events < 25; events++) await add();
  await expect(add()).rejects.toMatchObject({ name: "EventBufferError", reason: "full" });
  expect(await usage.stats()).toMatchObject({ queued: 25, overflowed: 1 });
});
