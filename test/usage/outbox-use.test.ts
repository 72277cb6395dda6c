import { describe, expect, it, vi } from "vitest";
import { memoryOutbox } from "../../src/usage/index.ts";
import { createClient } from "../../versions/2025-01/index.ts";
import { buffer, eventsOf, outboxWith, service, sleep } from "./service.ts";
import { SharedOutbox } from "./shared-outbox.ts";

describe("an outbox that fails", () => {
  it("when events are taken or confirmed is reported and tried again", async () => {
    const { billing, mock } = service();
    const outbox = memoryOutbox();
    vi.spyOn(outbox, "take").mockRejectedValueOnce(new Error("no take"));
    vi.spyOn(outbox, "confirm").mockRejectedValueOnce(new Error("no confirm"));
    const onError = vi.fn();
    const usage = buffer(billing, { outbox, onError });
    await usage.add(eventsOf(1)[0]!);
    await vi.waitFor(async () => expect(await usage.stats()).toMatchObject({ queued: 0, sent: 1 }));
    expect(onError.mock.calls.map(([error]) => error.message)).toEqual(["no take", "no confirm"]);
    expect(mock.requests.count).toBe(1);
  });

  it("ends a flush with its error", async () => {
    const { billing } = service();
    const outbox = memoryOutbox();
    const usage = buffer(billing, { outbox, maxDelay: 60_000 });
    await usage.add(eventsOf(1)[0]!);
    vi.spyOn(outbox, "take").mockRejectedValueOnce(new Error("no take"));
    await expect(usage.flush()).rejects.toThrow("no take");
    await usage.flush();
  });
});

describe("an outbox whose methods throw", () => {
  it("from a timer is reported, and the process continues", async () => {
    const { billing } = service();
    const thrown = vi.fn(() => {
      throw new Error("thrown");
    });
    const onError = vi.fn();
    const outbox = outboxWith({ state: thrown, extend: thrown, leaseDuration: 15, pollInterval: 5 });
    const usage = buffer(billing, { outbox, onError });
    await usage.add(eventsOf(1)[0]!);
    await expect.poll(() => thrown.mock.calls.length).toBeGreaterThan(3);
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ message: "thrown" }));
    await expect(usage.flush()).rejects.toThrow("thrown");
  });

  it("or return something else is reported", async () => {
    const { billing } = service();
    const onError = vi.fn();
    const usage = buffer(billing, { outbox: outboxWith({ take: (() => "events") as never }), onError });
    await usage.add(eventsOf(1)[0]!);
    await expect(usage.flush()).rejects.toThrow("take of the outbox must return an array; it returned string");
  });

  it.each([
    [{ pollInterval: 0 }, "createEventBuffer: outbox.pollInterval must be a number from 1 to 2147483647; received 0"],
    [{ leaseDuration: "1s" }, "createEventBuffer: outbox.leaseDuration must be a number from 1 to 2147483647"],
  ])("%j is rejected", (change, message) => {
    const { billing } = service();
    expect(() => buffer(billing, { outbox: outboxWith(change as never) })).toThrow(message);
  });
});

describe("an outbox that several processes share", () => {
  it("sends events of other processes, and of a process that died with a lease", async () => {
    const { billing, mock } = service();
    const store: unknown[] = [];
    const dead = new SharedOutbox(store, 60);
    await dead.append(eventsOf(20).map((event) => ({ json: JSON.stringify(event), bytes: 80 })));
    await dead.take({ events: 10, bytes: 10_000 });
    const usage = buffer(billing, { outbox: new SharedOutbox(store, 60_000), maxDelay: 60_000 });
    await expect.poll(() => usage.stats()).toMatchObject({ queued: 0, sent: 20, duplicates: 0 });
    expect(mock.events.size).toBe(20);
  });

  it("extends the leases of events whose delivery takes long", async () => {
    const { mock, token } = service();
    const fetch = async (request: Request): Promise<Response> => {
      await sleep(300);
      return mock.fetch(request);
    };
    const store: unknown[] = [];
    const billing = createClient({ accessToken: token, fetch });
    const [one, other] = [0, 1].map(() => buffer(billing, { outbox: new SharedOutbox(store, 100) }));
    await one!.add(eventsOf(1)[0]!);
    await one!.flush();
    await other!.flush();
    expect(mock.requests.count).toBe(1);
  });

  it("notices how many events are queued by others", async () => {
    const { billing, mock } = service();
    const store: unknown[] = [];
    const other = new SharedOutbox(store, 60_000);
    const usage = buffer(billing, { outbox: new SharedOutbox(store, 60_000), maxQueued: 10, whenFull: "reject" });
    await other.append(eventsOf(10).map((event) => ({ json: JSON.stringify(event), bytes: 80 })));
    const taken = await other.take({ events: 10, bytes: 10_000 });
    await sleep(60);
    await expect(usage.add(eventsOf(1, 11)[0]!)).rejects.toMatchObject({ reason: "full" });
    await other.confirm(taken);
    await sleep(60);
    await usage.add(eventsOf(1, 11)[0]!);
    await usage.flush();
    expect(mock.events.size).toBe(1);
  });
});
