import fc from "fast-check";
import Keyv from "keyv";
import { describe, expect, it, vi } from "vitest";
import { createWebhookHandler, type SeenStore } from "#current/webhooks";
import { memorySeenStore } from "../../src/webhooks/seen.ts";
import { holds } from "../fuzz/parameters.ts";
import { delivery, order, secret } from "./signed.ts";

type Options = Partial<Parameters<typeof createWebhookHandler>[0]>;

/** Creates a handler, and a function that delivers an event to it and returns the status. */
function receiverOf(seen: SeenStore | undefined, run: () => unknown, options: Options = {}) {
  const onError = vi.fn();
  const handle = createWebhookHandler({ secret, on: { "*": run }, seen, leaseMs: 30_000, onError, ...options });
  const deliver = async (id = "evt_1") => (await handle(await delivery({ ...order, id }))).status;
  return { deliver, onError };
}

/** Returns a Keyv store whose calls a test changes. */
function storeWith(change: (store: Keyv) => Partial<SeenStore>): SeenStore {
  const values = new Map();
  return Object.assign(new Keyv({ store: values }), change(new Keyv({ store: values })));
}

/** Returns a store whose calls start and end in an order that a scheduler chooses, like a remote store's. */
function remoteStore(scheduler: fc.Scheduler, values: Map<string, string>): SeenStore {
  const remote =
    <Args extends unknown[], Result>(call: (...args: Args) => Result) =>
    async (...args: Args): Promise<Result> => {
      await scheduler.schedule(Promise.resolve());
      const result = call(...args);
      return scheduler.schedule(Promise.resolve(result));
    };
  return {
    get: remote((key: string) => values.get(key)),
    set: remote((key: string, value: string) => values.set(key, value)),
    delete: remote((key: string) => values.delete(key)),
    add: remote((key: string, value: string) => !values.has(key) && values.set(key, value) === values),
  };
}

describe.each<[string, () => unknown]>([
  ["the memory of the process", () => undefined],
  ["a Keyv store", () => new Keyv()],
])("with %s, an event", (_, createStore) => {
  it("is handled once, also if it is delivered several times at once: the others get a 409, and then a 204", async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const run = vi.fn(() => promise);
    const { deliver } = receiverOf((await createStore()) as SeenStore | undefined, run);
    const running = deliver();
    expect(await Promise.all([deliver(), deliver(), deliver()])).toEqual([409, 409, 409]);
    await expect.poll(() => run).toHaveBeenCalledOnce();
    resolve();
    expect([await running, await deliver(), await deliver()]).toEqual([204, 204, 204]);
    expect(run).toHaveBeenCalledOnce();
  });

  it("is independent of other events, and forgotten after rememberMs", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const run = vi.fn();
    const { deliver } = receiverOf((await createStore()) as SeenStore | undefined, run, { rememberMs: 5_000 });
    for (const [ms, times] of [
      [4_999, 2],
      [2, 3],
    ] as const) {
      expect(await Promise.all([deliver("evt_1"), deliver("evt_2")])).toEqual([204, 204]);
      vi.setSystemTime(Date.now() + ms);
      await deliver("evt_1");
      expect(run).toHaveBeenCalledTimes(times);
    }
  });

  it("whose function never settles gets a 500 after timeoutMs, and the next delivery runs it again", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const run = vi.fn<() => unknown>().mockReturnValueOnce(new Promise(() => {}));
    const { deliver, onError } = receiverOf((await createStore()) as SeenStore | undefined, run, { timeoutMs: 20 });
    expect([await deliver(), vi.getTimerCount(), await deliver()]).toEqual([500, 0, 204]);
    expect(String(onError.mock.calls[0]?.[0])).toContain('The function for "order.paid" did not finish within 20 ms.');
    expect(run).toHaveBeenCalledTimes(2);
  });
});

it("the memory of the process keeps the newest 20,000 events", async () => {
  const store = memorySeenStore();
  for (let i = 0; i < 20_000; i++) await store.set(String(i), "x", 60_000);
  for (const key of ["0", "20000"]) await store.set(key, "x", 60_000);
  expect(["0", "1", "2", "20000"].map((key) => store.get(key))).toEqual(["x", undefined, "x", "x"]);
});

it("by default, an event is remembered for three days, and claimed for 30 seconds", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
  const [add, set] = [vi.fn(() => true), vi.fn()];
  const { deliver } = receiverOf({ get: vi.fn(), set, delete: vi.fn(), add }, vi.fn(), { leaseMs: undefined });
  expect([await deliver(), vi.getTimerCount()]).toEqual([204, 0]);
  expect(add).toHaveBeenCalledExactlyOnceWith("billing-webhook:claim:evt_1", expect.any(String), 30_000);
  const threeDays = 3 * 24 * 60 * 60 * 1_000;
  expect(set).toHaveBeenCalledExactlyOnceWith("billing-webhook:handled:evt_1", expect.any(String), threeDays);
});

describe("with a store that several handlers share", () => {
  it("an event runs once with an atomic add, whatever the order of the calls", async () => {
    await holds(50, fc.scheduler(), async (scheduler) => {
      const run = vi.fn();
      const values = new Map<string, string>();
      const seen = remoteStore(scheduler, values);
      const deliveries = Array.from({ length: 4 }, () => receiverOf(seen, run).deliver());
      const statuses = await scheduler.waitFor(Promise.all(deliveries));
      expect(run).toHaveBeenCalledOnce();
      expect(statuses).toContain(204);
      expect(Array.from(values.keys())).toEqual(["billing-webhook:handled:evt_1"]);
      expect(await scheduler.waitFor(receiverOf(seen, run).deliver())).toBe(204);
      expect(run).toHaveBeenCalledOnce();
    });
  });

  it("a claim that another process has taken is not deleted", async () => {
    const store = new Keyv();
    const claim = "billing-webhook:claim:evt_1";
    const { deliver } = receiverOf(store, () => store.set(claim, "another process"));
    expect([await deliver(), await store.get(claim)]).toEqual([204, "another process"]);
  });

  it("a claim is extended while its function runs, and expires after leaseMs if its process is gone", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    const store = new Keyv();
    const { promise, resolve } = Promise.withResolvers<void>();
    const run = vi.fn(() => promise);
    const open = () => receiverOf(store, run, { leaseMs: 300 });
    const [first, second] = [open(), open()];
    const running = first.deliver();
    await expect.poll(() => run).toHaveBeenCalledOnce();
    await vi.advanceTimersByTimeAsync(700);
    expect(await second.deliver()).toBe(409);
    resolve();
    expect(await running).toBe(204);
    await store.set("billing-webhook:claim:evt_2", "a process that is gone", 200);
    expect(await second.deliver("evt_2")).toBe(409);
    await vi.advanceTimersByTimeAsync(201);
    expect(await second.deliver("evt_2")).toBe(204);
    expect(run).toHaveBeenCalledTimes(2);
  });
});

describe("with a store that fails", () => {
  let hanging = Promise.withResolvers<void>();

  /** Makes a call hang once. */
  function once<Args extends unknown[]>(call: (...args: Args) => unknown): (...args: Args) => never {
    return vi.fn(call).mockImplementationOnce(() => new Promise(() => hanging.resolve())) as never;
  }

  const calls: Readonly<Record<string, (store: Keyv) => Partial<SeenStore>>> = {
    get: (store) => ({ get: once((key: string) => store.get(key)) }),
    set: (store) => ({ set: once((key: string, value: string) => store.set(key, value)) }),
    add: () => ({ add: once(() => true) }),
  };

  it.each<[string, () => Partial<SeenStore>, string]>([
    ["get throws", () => ({ get: () => Promise.reject(new Error("down")) }), "down"],
    ["get returns an empty result", () => ({ get: async () => ({ rows: [] }) }), "seen.get returned an object."],
    ["set returns false", () => ({ set: async () => false }), "seen.set returned false."],
  ])("because %s, no event runs, and the status is 500", async (_, change, problem) => {
    const run = vi.fn();
    const { deliver, onError } = receiverOf(storeWith(change), run);
    expect(await deliver()).toBe(500);
    expect(run).not.toHaveBeenCalled();
    expect(String(onError.mock.calls[0]?.[0])).toBe(`Error: ${problem}`);
  });

  it.each(Object.entries(calls))(
    "because %s hangs once, the event gets a 500 after five seconds, and runs when the service tries again",
    async (name, change) => {
      vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
      hanging = Promise.withResolvers();
      const run = vi.fn();
      const { deliver, onError } = receiverOf(storeWith(change), run);
      const first = deliver();
      await hanging.promise;
      vi.advanceTimersByTime(4_999);
      expect(vi.getTimerCount()).toBe(1);
      vi.advanceTimersByTime(1);
      expect([await first, await deliver()]).toEqual([500, 204]);
      expect(String(onError.mock.calls[0]?.[0])).toBe(`Error: seen.${name} did not finish within 5000 ms.`);
      expect(run).toHaveBeenCalledOnce();
    },
  );

  const failure = new Error("down");
  const fail = () => Promise.reject(failure);
  const isHandled = (key: string) => key.includes(":handled:");

  it.each<[string, unknown, (store: Keyv) => Partial<SeenStore>]>([
    ["delete hangs", expect.any(Error), (store) => ({ delete: once((key: string) => store.delete(key)) })],
    ["set throws", failure, () => ({ set: async (key) => !isHandled(key) || fail(), add: () => true })],
  ])("because %s after the function has finished, it gets a 204, and onError the error", async (_, error, change) => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const never = vi.fn(() => new Promise(() => undefined));
    const { deliver } = receiverOf(storeWith(change), () => 1, { onError: never, leaseMs: 100 });
    expect([await deliver(), vi.getTimerCount()]).toEqual([204, 0]);
    expect(never.mock.calls).toEqual([[error, { status: 204, event: expect.objectContaining({ id: "evt_1" }) }]]);
  });

  it.each(["", false, null])("because get returns %j for a missing key, an event runs", async (value) => {
    const run = vi.fn();
    const { deliver } = receiverOf(
      storeWith((keyv) => ({ get: async (key) => (await keyv.get(key)) ?? value })),
      run,
    );
    expect([await deliver(), await deliver()]).toEqual([204, 204]);
    expect(run).toHaveBeenCalledOnce();
  });
});
