import { describe, expect, it, vi } from "vitest";
import { memoryOutbox, OutboxError } from "../../src/usage/index.ts";
import { storages } from "./outboxes.ts";
import { buffered, eventsOf } from "./service.ts";

const UUID_V7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describe.each(Object.entries(storages))("add with an outbox in %s", (_, create) => {
  it("that fails as unavailable carries the event with its id, so that adding it again is safe", async () => {
    const outbox = (await create()).open();
    const append = outbox.append.bind(outbox);
    vi.spyOn(outbox, "append").mockImplementationOnce(async (events) => {
      await append(events);
      throw new OutboxError("unavailable", "the connection was lost");
    });
    const { ids, usage } = buffered({ outbox });
    const adding = [1, 2].map((count) => usage.add({ name: `call.${count}`, external_customer_id: "acme" }));
    const errors = await Promise.all(adding.map((added) => added.catch((thrown) => thrown)));
    for (const error of errors) {
      const message = "add: the connection was lost. The event may be stored; to add it again, pass error.event";
      expect(error).toMatchObject({ reason: "unavailable", message: expect.stringContaining(message) });
      expect(error.event.external_id).toMatch(UUID_V7);
      await usage.add(error.event);
    }
    await usage.flush();
    expect(ids()).toHaveLength(2);
  });

  it("lets timers run and requests be sent in a loop of awaited calls", async () => {
    const { mock, usage } = buffered({ outbox: (await create()).open(), maxBatchEvents: 100, maxDelay: 60_000 });
    let turns = 0;
    const timer = setInterval(() => turns++, 1);
    // Without a turn of the event loop, neither the timer nor a request would ever end the loop.
    const isHeldUp = (count: number) => count < 100_000 && (turns < 3 || mock.events.size === 0);
    let count = 1;
    while (isHeldUp(count)) await usage.add(eventsOf(1, count++)[0]!);
    clearInterval(timer);
    expect(isHeldUp(count)).toBe(false);
    expect(count).toBeLessThan(100_000);
  });
});

describe("add", () => {
  it("resolves when the event is in the outbox, before it is sent", async () => {
    const { add, mock, usage } = buffered({ maxDelay: 10_000 });
    await add(1);
    expect(await usage.stats()).toMatchObject({
      queued: 1,
      sent: 0,
      oldestAge: expect.toSatisfy((age: number) => age >= 0 && age < 60_000),
    });
    expect(mock.events.size).toBe(0);
    await usage.flush();
    expect(await usage.stats()).toMatchObject({ queued: 0, sent: 1, oldestAge: undefined });
    expect(mock.events.size).toBe(1);
  });

  it("assigns a unique external_id, a UUID of version 7 that begins with the time, to events without one", async () => {
    const { add, ids, usage } = buffered();
    const from = Date.now();
    const event = { name: "api.call", external_customer_id: "acme" };
    const events = Array.from({ length: 200 }, () => [event, { ...event, external_id: undefined }]).flat();
    await Promise.all([add(1), ...events.map((each) => usage.add(each))]);
    await usage.flush();
    const assigned = ids().filter((id): id is string => UUID_V7.test(id ?? ""));
    expect(new Set(assigned).size).toBe(400);
    expect(ids()).toContain("event-1");
    expect(event).toEqual({ name: "api.call", external_customer_id: "acme" });
    const times = assigned.map((id) => Number.parseInt(id.replace("-", "").slice(0, 12), 16));
    expect(Math.min(...times)).toBeGreaterThanOrEqual(from);
    expect(Math.max(...times)).toBeLessThanOrEqual(Date.now());
  });

  it("takes the event as it is at the call", async () => {
    const { mock, usage } = buffered();
    const event = { ...eventsOf(1)[0]!, metadata: { pages: 1 } };
    const added = usage.add(event);
    event.metadata.pages = 2;
    await added;
    await usage.flush();
    expect(mock.events.list()[0]?.metadata).toEqual({ pages: 1 });
  });

  /** JSON leaves out what a getter of a class returns. */
  class Charge {
    readonly name = "a";
    get external_id(): string {
      return "call-1";
    }
  }

  const large = { name: "a", external_id: "b", metadata: { text: "é".repeat(5_242_848) } };
  const circular: Record<string, unknown> = { name: "a" };
  circular["metadata"] = { circular };
  it.each<[string, unknown, string]>([
    ["null", null, "add: event must be an object; received null"],
    ["no name", { external_customer_id: "a" }, "add: event.name must be a string; received undefined"],
    ["an empty external_id", { name: "a", external_id: "" }, "add: event.external_id must be a non-empty string"],
    ["an inherited name", Object.create({ name: "a" }), "add: event must be a plain object, without toJSON"],
    ["a class", new Charge(), "add: event must be a plain object, without toJSON"],
    ["a cycle", circular, "add: event cannot be serialized as JSON; see `cause`"],
    ["toJSON", { name: "a", toJSON: () => "a" }, "add: event must be a plain object, without toJSON"],
    ["more than 10 MiB", large, "add: event has 10485749 bytes as JSON; the maximum is 10485747"],
  ])("rejects an event with %s at once", async (_, event, message) => {
    const { batches, usage } = buffered();
    const error = { name: "InvalidInputError", message: expect.stringContaining(message) };
    await expect(usage.add(event as never)).rejects.toMatchObject(error);
    await usage.flush();
    expect(batches()).toEqual([]);
  });

  it("stores events that are added at once with appends of at most 10,000, which an outbox in Redis can store", async () => {
    const outbox = memoryOutbox();
    const append = vi.spyOn(outbox, "append");
    await buffered({ outbox }).add(25_000);
    expect(append.mock.calls.map(([events]) => events.length)).toEqual([10_000, 10_000, 5_000]);
  });

  it("rejects with the error of the outbox if it cannot store the event, and works again afterwards", async () => {
    const outbox = memoryOutbox();
    vi.spyOn(outbox, "append").mockRejectedValueOnce(new Error("disk full"));
    const { add, mock, usage } = buffered({ outbox, maxQueued: 2 });
    for (const added of [add(1), add(1, 2)]) await expect(added).rejects.toThrow("disk full");
    await add(2, 2);
    await usage.flush();
    expect(mock.events.size).toBe(2);
  });
});
