import { describe, expect, it, vi } from "vitest";
import { memoryOutbox, type Outbox } from "../../src/usage/index.ts";
import { createClient } from "../../versions/2025-01/index.ts";
import { buffer, eventsOf, service, sleep } from "./service.ts";
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

describe("an outbox that does not answer", () => {
  it("does not keep `close` waiting for ever", async () => {
    const { billing } = service();
    const outbox = { ...methodsOf(memoryOutbox()), durable: true, take: () => new Promise<never>(() => {}) };
    const usage = buffer(billing, { outbox });
    await usage.add(eventsOf(1)[0]!);
    const started = performance.now();
    await usage.close({ timeout: 50 });
    expect(performance.now() - started).toBeLessThan(10_000);
    expect(await usage.stats()).toMatchObject({ queued: 1 });
  });
});

function methodsOf(outbox: Outbox): Outbox {
  const names = ["append", "take", "confirm", "release", "state", "close"] as const;
  return Object.fromEntries(names.map((name) => [name, outbox[name].bind(outbox)])) as unknown as Outbox;
}

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
      await sleep(1_000);
      return mock.fetch(request);
    };
    const store: unknown[] = [];
    const billing = createClient({ accessToken: token, fetch });
    const [one, other] = [0, 1].map(() => buffer(billing, { outbox: new SharedOutbox(store, 300) }));
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
