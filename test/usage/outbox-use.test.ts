import { describe, expect, it, vi } from "vitest";
import { memoryOutbox } from "../../src/usage/index.ts";
import { sharedStore } from "./outboxes.ts";
import { buffered, eventsOf, outboxWith, sleep, through } from "./service.ts";

describe("an outbox that fails", () => {
  it("when events are taken or confirmed is reported and tried again, and ends a flush with its error", async () => {
    const outbox = memoryOutbox();
    vi.spyOn(outbox, "take").mockRejectedValueOnce(new Error("no take"));
    vi.spyOn(outbox, "confirm").mockRejectedValueOnce(new Error("no confirm"));
    const { add, mock, onError, usage } = buffered({ outbox });
    await add(1);
    await expect.poll(() => usage.stats()).toMatchObject({ queued: 0, sent: 1 });
    expect(onError.mock.calls.map(([error]) => error.message)).toEqual(["no take", "no confirm"]);
    expect(mock.requests.count).toBe(1);
    vi.spyOn(outbox, "take").mockRejectedValueOnce(new Error("no take"));
    await add(1, 2);
    await expect(usage.flush()).rejects.toThrow("no take");
    await usage.flush();
  });

  it("by throwing from a timer is reported, and the process continues", async () => {
    const outbox = outboxWith({ leaseDuration: 15, pollInterval: 5 });
    const { add, mock, onError, usage } = buffered({ outbox });
    mock.fault({ kind: "timeout" });
    await add(1);
    const thrown = (method: "state" | "extend") => () => {
      throw new Error(`no ${method}`);
    };
    Object.assign(outbox, { state: thrown("state"), extend: thrown("extend") });
    const messages = () => new Set(onError.mock.calls.map(([error]) => error.message));
    await expect.poll(messages).toEqual(new Set(["no state", "no extend"]));
    await expect(usage.flush()).rejects.toThrow("no state");
  });

  it.each([undefined, {}, "events"])("by returning %j instead of entries is reported", async (returned) => {
    const { add, usage } = buffered({ outbox: outboxWith({ take: (() => returned) as never }) });
    await add(1);
    const message = `take of the outbox must return an array; it returned ${typeof returned}`;
    await expect(usage.flush({ timeout: 10_000 })).rejects.toMatchObject({ name: "TypeError", message });
  });
});

describe("an outbox that several processes share", () => {
  const entries = (count: number) => eventsOf(count).map((event) => ({ json: JSON.stringify(event), bytes: 80 }));

  it("sends events of other processes, and of a process that died with a lease", async () => {
    const open = sharedStore();
    const dead = open(60);
    await dead.append(entries(20));
    await dead.take({ events: 10, bytes: 10_000 });
    const { mock, usage } = buffered({ outbox: open(60_000), maxDelay: 60_000 });
    await expect.poll(() => usage.stats()).toMatchObject({ queued: 0, sent: 20, duplicates: 0 });
    expect(mock.events.size).toBe(20);
  });

  it("extends the leases of events whose delivery takes long", async () => {
    const open = sharedStore();
    const slow = through(() => sleep(1_000));
    const [one, other] = [0, 1].map(() => buffered({ outbox: open(500) }, slow));
    await one!.add(1);
    await one!.usage.flush();
    await other!.usage.flush();
    expect(slow.mock.requests.count).toBe(1);
  });

  it("notices how many events are queued by others", async () => {
    const open = sharedStore();
    const other = open(60_000);
    const outbox = open(60_000);
    const { add, mock, usage } = buffered({ outbox, maxQueued: 10, whenFull: "reject" });
    await other.append(entries(10));
    const taken = await other.take({ events: 10, bytes: 10_000 });
    const look = vi.spyOn(outbox, "state");
    await expect.poll(() => look.mock.calls.length).toBeGreaterThan(0);
    await expect(add(1, 11)).rejects.toMatchObject({ reason: "full" });
    await other.confirm(taken);
    await expect.poll(() => add(1, 11).catch(({ reason }) => reason)).toBeUndefined();
    await usage.flush();
    expect(mock.events.size).toBe(1);
  });
});
