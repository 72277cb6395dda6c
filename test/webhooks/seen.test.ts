import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { createWebhookHandler, type SeenStore } from "#current/webhooks";
import { memorySeenStore } from "../../src/webhooks/seen.ts";
import { holds } from "../fuzz/parameters.ts";
import { delivery, order, secret } from "./signed.ts";

type Options = Partial<Parameters<typeof createWebhookHandler>[0]>;

const KEY = "billing-webhook:evt_1";

/** Creates a handler, and a function that delivers an event to it and returns the status. */
function receiverOf(seen: SeenStore | undefined, run: () => unknown, options: Options = {}) {
  const onError = vi.fn();
  const handle = createWebhookHandler({ secret, on: { "*": run }, seen, onError, ...options });
  const deliver = async (id = "evt_1") => (await handle(await delivery({ ...order, id }))).status;
  return { deliver, onError };
}

/** Returns a store whose calls start and end in an order that a scheduler chooses, like a remote store's. */
function remoteStore(scheduler: fc.Scheduler): SeenStore {
  const store = memorySeenStore();
  const remote =
    (name: keyof SeenStore) =>
    async (...args: unknown[]) => {
      await scheduler.schedule(Promise.resolve());
      const result = Reflect.apply(store[name], store, args);
      return scheduler.schedule(Promise.resolve(result)) as never;
    };
  return { get: remote("get"), set: remote("set"), add: remote("add"), delete: remote("delete") };
}

describe("an event", () => {
  it("is handled once, also if it is delivered several times at once: the others get a 409, and then a 204", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const run = vi.fn(() => promise);
    const { deliver } = receiverOf(undefined, run);
    const running = deliver();
    await expect.poll(() => run).toHaveBeenCalledOnce();
    expect(await Promise.all([deliver(), deliver()])).toEqual([409, 409]);
    resolve();
    expect([await running, await deliver(), await deliver()]).toEqual([204, 204, 204]);
    expect(run).toHaveBeenCalledOnce();
  });

  it("is independent of other events, and forgotten after three days", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const run = vi.fn();
    const { deliver } = receiverOf(undefined, run);
    for (const [ms, times] of [
      [3 * 24 * 60 * 60 * 1_000 - 1, 2],
      [2, 3],
    ] as const) {
      expect(await Promise.all([deliver("evt_1"), deliver("evt_2")])).toEqual([204, 204]);
      vi.setSystemTime(Date.now() + ms);
      await deliver("evt_1");
      expect(run).toHaveBeenCalledTimes(times);
    }
  });

  it("whose function never settles gets a 500 after timeout, and the next delivery runs it again", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const run = vi.fn<() => unknown>().mockReturnValueOnce(new Promise(() => {}));
    const { deliver, onError } = receiverOf(undefined, run, { timeout: 20 });
    expect([await deliver(), vi.getTimerCount(), await deliver()]).toEqual([500, 0, 204]);
    expect(String(onError.mock.calls[0]?.[0])).toContain('The function for "order.paid" did not finish within 20 ms.');
    expect(run).toHaveBeenCalledTimes(2);
  });
});

it("the memory of the process keeps the newest 20,000 events", async () => {
  const store = memorySeenStore();
  for (let i = 0; i < 20_000; i++) store.set(String(i), "x", 60_000);
  for (const key of ["0", "20000"]) store.set(key, "x", 60_000);
  expect(["0", "1", "2", "20000"].map((key) => store.get(key))).toEqual(["x", undefined, "x", "x"]);
});

describe("with a store that several handlers share", () => {
  it("an event runs once, whatever the order of the calls", async () => {
    await holds(50, fc.scheduler(), async (scheduler) => {
      const run = vi.fn();
      const seen = remoteStore(scheduler);
      const deliveries = Array.from({ length: 4 }, () => receiverOf(seen, run).deliver());
      expect(await scheduler.waitFor(Promise.all(deliveries))).toContain(204);
      expect(await scheduler.waitFor(receiverOf(seen, run).deliver())).toBe(204);
      expect(run).toHaveBeenCalledOnce();
    });
  });

  it("a claim is extended while its function runs, and expires after 30 seconds if its process is gone", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    const store = memorySeenStore();
    const { promise, resolve } = Promise.withResolvers<void>();
    const run = vi.fn(() => promise);
    const [first, second] = [receiverOf(store, run), receiverOf(store, run)];
    const running = first.deliver();
    await expect.poll(() => run).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(70_000);
    expect(await second.deliver()).toBe(409);
    resolve();
    expect([await running, vi.getTimerCount()]).toEqual([204, 0]);
    // Its function never settles, and nothing extends its claim.
    void receiverOf({ ...store, get: () => undefined }, () => new Promise(() => {})).deliver("evt_2");
    await expect.poll(() => second.deliver("evt_2")).toBe(409);
    await vi.advanceTimersByTimeAsync(30_001);
    expect(await second.deliver("evt_2")).toBe(204);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it("a claim that another process has taken is neither extended nor deleted", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const store = memorySeenStore();
    const run = async () => {
      store.set(KEY, "another process", 60_000);
      await vi.advanceTimersByTimeAsync(15_000);
      throw new Error("failed");
    };
    expect([await receiverOf(store, run).deliver(), store.get(KEY)]).toEqual([500, "another process"]);
  });
});

describe("with a store that fails", () => {
  const hang = () => new Promise<never>(() => {});
  const down = new Error("down");

  it.each<[string, Partial<SeenStore>, string]>([
    ["add throws", { add: () => Promise.reject(down) }, "down"],
    ["get returns a result set", { get: () => ({ rows: [] }), add: () => false }, "seen.get returned an object."],
  ])("because %s, no event runs, and the status is 500", async (_, change, problem) => {
    const run = vi.fn();
    const { deliver, onError } = receiverOf({ ...memorySeenStore(), ...change }, run);
    expect(await deliver()).toBe(500);
    expect(run).not.toHaveBeenCalled();
    expect(String(onError.mock.calls[0]?.[0])).toBe(`Error: ${problem}`);
  });

  it("because it hangs once, the event gets a 500 after five seconds, and runs when the service tries again", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const store = memorySeenStore();
    const { promise: called, resolve } = Promise.withResolvers<void>();
    const add = vi.fn(store.add).mockImplementationOnce(() => {
      resolve();
      return hang();
    });
    const run = vi.fn();
    const { deliver, onError } = receiverOf({ ...store, add }, run);
    const first = deliver();
    await called;
    vi.advanceTimersByTime(4_999);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1);
    expect([await first, await deliver()]).toEqual([500, 204]);
    expect(String(onError.mock.calls[0]?.[0])).toBe("Error: seen.add did not finish within 5000 ms.");
    expect(run).toHaveBeenCalledOnce();
  });

  it("after the function has finished, it gets a 204, and onError the error", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const onError = vi.fn(hang);
    const set = () => Promise.reject(down);
    const { deliver } = receiverOf({ ...memorySeenStore(), set }, () => 1, { onError });
    expect([await deliver(), vi.getTimerCount()]).toEqual([204, 0]);
    expect(onError.mock.calls).toEqual([[down, { status: 204, event: expect.objectContaining({ id: "evt_1" }) }]]);
  });
});
