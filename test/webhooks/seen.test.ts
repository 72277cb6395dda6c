import Keyv from "keyv";
import { describe, expect, it, vi } from "vitest";
import { createWebhookHandler, type SeenStore, signWebhook } from "../../versions/2025-01/webhooks.ts";
import { gate, order, secret } from "./signed.ts";

async function deliveries(count: number, id = "evt_1"): Promise<Request[]> {
  const signed = await signWebhook({ ...order, id }, { secret });
  return Array.from({ length: count }, () => new Request("https://shop.example", { method: "POST", ...signed }));
}

/** Delays each step of a store by a random time, like a network. */
function slow(store: Keyv, mostMs: number): SeenStore {
  const wait = () => new Promise((resolve) => setTimeout(resolve, Math.random() * mostMs));
  const delayed = async <Value>(step: () => Promise<Value>) => {
    await wait();
    const value = await step();
    await wait();
    return value;
  };
  return {
    get: (key) => delayed(() => store.get(key)),
    set: (key, value, ttl) => delayed(() => store.set(key, value, ttl)),
    delete: (key) => delayed(() => store.delete(key)),
  };
}

const times = { settleMs: 60, leaseMs: 300 };
const statuses = (responses: readonly Response[]) => responses.map(({ status }) => status).sort();

describe.each([
  ["the memory of the process", () => undefined],
  ["a Keyv store", () => new Keyv()],
])("with %s, an event", (_, createStore) => {
  it("is handled once: a redelivery gets a 204 and runs nothing", async () => {
    const run = vi.fn();
    const handle = createWebhookHandler({ secret, on: { "*": run }, seen: createStore(), ...times });
    for (const request of await deliveries(3)) expect((await handle(request)).status).toBe(204);
    expect(run).toHaveBeenCalledOnce();
  });

  it("that is delivered several times at once runs once, and the others get a 409 until it has finished", async () => {
    const { opened, open } = gate();
    const run = vi.fn(() => opened);
    const handle = createWebhookHandler({ secret, on: { "*": run }, seen: createStore(), ...times });
    const [first, ...others] = await deliveries(5);
    const running = handle(first as Request);
    expect(statuses(await Promise.all(others.map(handle)))).toEqual([409, 409, 409, 409]);
    await vi.waitFor(() => expect(run).toHaveBeenCalledOnce());
    open();
    expect((await running).status).toBe(204);
    expect((await handle((await deliveries(1))[0] as Request)).status).toBe(204);
    expect(run).toHaveBeenCalledOnce();
  });

  it("is independent of other events", async () => {
    const run = vi.fn();
    const handle = createWebhookHandler({ secret, on: { "*": run }, seen: createStore(), ...times });
    const requests = [...(await deliveries(1, "evt_1")), ...(await deliveries(1, "evt_2"))];
    expect(statuses(await Promise.all(requests.map(handle)))).toEqual([204, 204]);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it("is forgotten after rememberMs", async () => {
    const run = vi.fn();
    const handle = createWebhookHandler({ secret, on: { "*": run }, seen: createStore(), ...times, rememberMs: 50 });
    const [first, second] = await deliveries(2);
    await handle(first as Request);
    await new Promise((resolve) => setTimeout(resolve, 80));
    await handle(second as Request);
    expect(run).toHaveBeenCalledTimes(2);
  });
});

describe("with a store that several handlers share", () => {
  it("an event runs once, whatever the order of their reads and writes", async () => {
    for (let round = 0; round < 20; round++) {
      const store = new Keyv();
      const run = vi.fn();
      const handlers = Array.from({ length: 6 }, () =>
        createWebhookHandler({ secret, on: { "*": run }, seen: slow(store, 4), ...times, onError: () => undefined }),
      );
      const requests = await deliveries(handlers.length);
      await Promise.all(handlers.map((handle, index) => handle(requests[index] as Request)));
      expect(run.mock.calls.length, `round ${round}`).toBeLessThanOrEqual(1);
    }
  });

  it("an event runs once if one handler writes its claim after another has written its own", async () => {
    const store = new Keyv();
    const run = vi.fn(() => new Promise((resolve) => setTimeout(resolve, 500)));
    const handlers = [0, 200].map((delayMs) => {
      const seen: SeenStore = {
        get: (key) => store.get(key),
        set: async (key, value, ttl) => {
          await new Promise((resolve) => setTimeout(resolve, delayMs));
          return store.set(key, value, ttl);
        },
        delete: (key) => store.delete(key),
      };
      return createWebhookHandler({ secret, on: { "*": run }, seen, settleMs: 1_000, leaseMs: 4_000 });
    });
    const requests = await deliveries(2);
    await Promise.all(handlers.map((handle, index) => handle(requests[index] as Request)));
    expect(run).toHaveBeenCalledOnce();
  });

  it("an event that another handler finishes between the first read and the claim does not run again", async () => {
    const store = new Keyv();
    const run = vi.fn();
    const [one, two] = await deliveries(2);
    const first = createWebhookHandler({ secret, on: { "*": run }, seen: store, ...times });
    let reads = 0;
    const seen: SeenStore = {
      get: async (key) => {
        const value = await store.get(key);
        if (++reads === 1) await first(one as Request);
        return value;
      },
      set: (key, value, ttl) => store.set(key, value, ttl),
      delete: (key) => store.delete(key),
    };
    const second = createWebhookHandler({ secret, on: { "*": run }, seen, ...times });
    expect((await second(two as Request)).status).toBe(204);
    expect(run).toHaveBeenCalledOnce();
    expect(await store.get("billing-webhook:claim:evt_1")).toBeUndefined();
  });

  it("a handler that was too slow to claim an event does not run it, and says why", async () => {
    const run = vi.fn();
    const onError = vi.fn();
    const store = new Keyv();
    const seen: SeenStore = {
      get: (key) => store.get(key),
      set: async (key, value, ttl) => {
        await new Promise((resolve) => setTimeout(resolve, 40));
        return store.set(key, value, ttl);
      },
      delete: (key) => store.delete(key),
    };
    const handle = createWebhookHandler({ secret, on: { "*": run }, seen, ...times, onError });
    expect((await handle((await deliveries(1))[0] as Request)).status).toBe(500);
    expect(run).not.toHaveBeenCalled();
    expect(String(onError.mock.calls[0]?.[0])).toMatch(/seen took \d+ ms; settleMs must be at least twice that\./);
  });

  it("the atomic add of a store is used instead of waiting", async () => {
    const values = new Map<string, string>();
    const add = vi.fn((key: string, value: string) => !values.has(key) && values.set(key, value) === values);
    const seen: SeenStore = {
      get: (key) => values.get(key),
      set: (key, value) => values.set(key, value),
      delete: (key) => values.delete(key),
      add,
    };
    const run = vi.fn();
    const handlers = [1, 2].map(() => createWebhookHandler({ secret, on: { "*": run }, seen, settleMs: 5_000 }));
    const requests = await deliveries(2);
    const started = performance.now();
    await Promise.all(handlers.map((handle, index) => handle(requests[index] as Request)));
    expect(performance.now() - started).toBeLessThan(2_000);
    expect(run).toHaveBeenCalledOnce();
    expect(add).toHaveBeenCalled();
  });

  it("a claim is extended while its function runs, and expires after leaseMs if its process is gone", async () => {
    const store = new Keyv();
    const { opened, open } = gate();
    const run = vi.fn(() => opened);
    const on = { "*": run };
    const first = createWebhookHandler({ secret, on, seen: store, ...times });
    const second = createWebhookHandler({ secret, on, seen: store, ...times });
    const [one, two] = await deliveries(2);
    const running = first(one as Request);
    await vi.waitFor(() => expect(run).toHaveBeenCalledOnce());
    await new Promise((resolve) => setTimeout(resolve, 900));
    expect((await second(two as Request)).status).toBe(409);
    open();
    expect((await running).status).toBe(204);

    await store.set("billing-webhook:claim:evt_2", "a process that is gone", 200);
    const [early, late] = await deliveries(2, "evt_2");
    expect((await second(early as Request)).status).toBe(409);
    await new Promise((resolve) => setTimeout(resolve, 250));
    expect((await second(late as Request)).status).toBe(204);
    expect(run).toHaveBeenCalledTimes(2);
  });
});

describe("with a store that fails", () => {
  const failing: Record<string, SeenStore> = {
    throws: { get: () => Promise.reject(new Error("down")), set: () => true, delete: () => true },
    "loses what it is given": { get: () => undefined, set: () => true, delete: () => true },
    "returns false": { get: () => undefined, set: async () => false, delete: () => true },
  };

  it.each([
    ["throws", 500],
    ["loses what it is given", 409],
    ["returns false", 500],
  ])("because it %s, no event runs, and the status is %i", async (name, expected) => {
    const run = vi.fn();
    const handle = createWebhookHandler({ secret, on: { "*": run }, seen: failing[name], ...times, onError: () => 1 });
    const { status } = await handle((await deliveries(1))[0] as Request);
    expect(status).toBe(expected);
    expect(run).not.toHaveBeenCalled();
  });

  /** A store whose call of a name hangs once. */
  function hangingOnce(name: "get" | "set" | "add" | "delete"): SeenStore {
    const store = new Keyv();
    let hangs = true;
    const once = <Result>(each: string, call: () => Promise<Result>): Promise<Result> => {
      if (each !== name || !hangs) return call();
      hangs = false;
      return new Promise(() => {});
    };
    return {
      get: (key) => once("get", () => store.get(key)),
      set: (key, value, ttl) => once("set", () => store.set(key, value, ttl)),
      delete: (key) => once("delete", () => store.delete(key)),
      ...(name === "add" && {
        add: (key, value, ttl) =>
          once("add", async () => (await store.get(key)) === undefined && store.set(key, value, ttl)),
      }),
    };
  }

  it.each(["get", "set", "add"] as const)(
    "because %s hangs once, the event gets a 500, and runs when the service tries again",
    async (name) => {
      const run = vi.fn();
      const onError = vi.fn();
      const seen = hangingOnce(name);
      const handle = createWebhookHandler({ secret, on: { "*": run }, seen, ...times, onError });
      const [first, second] = await deliveries(2);
      expect((await handle(first as Request)).status).toBe(500);
      expect(String(onError.mock.calls[0]?.[0])).toBe(`Error: seen.${name} did not finish within 300 ms.`);
      expect((await handle(second as Request)).status).toBe(204);
      expect(run).toHaveBeenCalledOnce();
    },
  );

  it("because delete hangs once after the function has finished, the event gets a 204, and onError the error", async () => {
    const onError = vi.fn();
    const handle = createWebhookHandler({
      secret,
      on: { "*": () => 1 },
      seen: hangingOnce("delete"),
      ...times,
      onError,
    });
    expect((await handle((await deliveries(1))[0] as Request)).status).toBe(204);
    expect(onError).toHaveBeenCalledOnce();
  });

  it.each(["", false, Number.NaN, null, 0])(
    "because get returns %j for a key it does not have, an event runs",
    async (value) => {
      const store = new Map<string, unknown>();
      const seen: SeenStore = {
        get: (key) => store.get(key) ?? value,
        set: (key, given) => store.set(key, given),
        delete: (key) => store.delete(key),
      };
      const run = vi.fn();
      const handle = createWebhookHandler({ secret, on: { "*": run }, seen, ...times });
      for (const request of await deliveries(2)) expect((await handle(request)).status).toBe(204);
      expect(run).toHaveBeenCalledOnce();
    },
  );

  it("after the function has finished, the service gets a 204, and onError the error", async () => {
    const store = new Keyv();
    const onError = vi.fn();
    const failure = new Error("down");
    const seen: SeenStore = {
      get: (key) => store.get(key),
      set: (key, value, ttl) => (key.includes(":handled:") ? Promise.reject(failure) : store.set(key, value, ttl)),
      delete: (key) => store.delete(key),
    };
    const handle = createWebhookHandler({ secret, on: { "*": () => 1 }, seen, ...times, onError });
    expect((await handle((await deliveries(1))[0] as Request)).status).toBe(204);
    expect(onError).toHaveBeenCalledExactlyOnceWith(failure, {
      status: 204,
      event: { id: "evt_1", type: "order.paid" },
    });
  });
});

it("a function that never settles gets a 500 after timeoutMs, and the next delivery runs it again", async () => {
  for (const seen of [undefined, new Keyv()]) {
    const onError = vi.fn();
    const run = vi.fn<() => unknown>().mockReturnValueOnce(new Promise(() => {}));
    const handle = createWebhookHandler({ secret, on: { "*": run }, seen, ...times, timeoutMs: 100, onError });
    const [first, second] = await deliveries(2);
    expect((await handle(first as Request)).status).toBe(500);
    expect(String(onError.mock.calls[0]?.[0])).toContain('The function for "order.paid" did not finish within 100 ms.');
    expect((await handle(second as Request)).status).toBe(204);
    expect(run).toHaveBeenCalledTimes(2);
  }
});

it("the memory of the process keeps the newest events", async () => {
  const { memorySeenStore } = await import("../../src/webhooks/claim-event.ts");
  const store = memorySeenStore();
  for (let i = 0; i < 20_001; i++) await store.set(String(i), "x", 60_000);
  expect(store.get("0")).toBeUndefined();
  expect(store.get("1")).toBe("x");
  expect(store.get("20000")).toBe("x");
});
