import { within } from "../values/wait.ts";
import type { SeenStore } from "./types.ts";

/** Time after which the claim of a crashed process expires, in milliseconds. */
const LEASE = 30_000;
/** Time for which a handled event is remembered, in milliseconds: 3 days. */
const MEMORY = 259_200_000;

/** A claim on an event. End it with `confirm` or `release`. */
export interface EventClaim {
  /** Marks the event as handled. */
  confirm(): Promise<void>;
  /** Gives the claim up, so that the next delivery of the event can run. */
  release(): Promise<void>;
}

/** The value that is stored for a handled event. While its function runs, the value is the token of the claim. */
const HANDLED = "handled";

/**
 * Claims an event in a store, so that of several simultaneous deliveries one runs. Returns `handled` if the event was
 * handled before, and `running` if another delivery of it is being processed.
 *
 * @throws Error if the store fails.
 */
export async function claimEvent(id: string, seen: SeenStore): Promise<EventClaim | "handled" | "running"> {
  const key = `billing-webhook:${id}`;
  const token = crypto.randomUUID();
  const read = async (): Promise<unknown> => {
    const value = await seen.get(key);
    if (value === Object(value)) throw new Error("seen.get returned an object.");
    return value;
  };
  if (!(await seen.add(key, token, LEASE))) return (await read()) === HANDLED ? "handled" : "running";
  // After a pause of this process, another one may have claimed or handled the event.
  const renew = async (): Promise<void> => {
    if ((await read()) === token) await seen.set(key, token, LEASE);
  };
  let renewal: Promise<void> | undefined;
  const timer = setInterval(() => {
    renewal = renew().catch(() => undefined);
  }, LEASE / 3);
  const stopRenewing = (): Promise<void> | undefined => {
    clearInterval(timer);
    return renewal;
  };
  return {
    confirm: async () => {
      await stopRenewing();
      await seen.set(key, HANDLED, MEMORY);
    },
    release: async () => {
      await stopRenewing();
      if ((await read()) === token) await seen.delete(key);
    },
  };
}

/** The maximum number of keys in the memory of a process. */
const MAX_KEYS = 20_000;

/** Creates a store in the memory of this process. It forgets the oldest keys when it has 20,000. */
export function memorySeenStore(): SeenStore {
  const entries = new Map<string, { readonly value: string; readonly expires: number }>();
  const get = (key: string) => {
    const entry = entries.get(key);
    return entry && entry.expires > Date.now() ? entry.value : undefined;
  };
  const set = (key: string, value: string, ttl: number) => {
    entries.delete(key);
    entries.set(key, { value, expires: Date.now() + ttl });
    if (entries.size > MAX_KEYS) entries.delete(entries.keys().next().value as string);
    return true;
  };
  const add = (key: string, value: string, ttl: number) => get(key) === undefined && set(key, value, ttl);
  return { get, set, add, delete: (key) => entries.delete(key) };
}

/** Time limit for a call of the store, in milliseconds. */
const STORE_LIMIT = 5_000;

/** Limits the time of each call, so that a delivery fails while the store hangs, and its error says so. */
export function limitStore(seen: SeenStore): SeenStore {
  const limit =
    (name: keyof SeenStore) =>
    (...args: readonly unknown[]): Promise<never> =>
      finishWithin(STORE_LIMIT, `seen.${name}`, () => (seen[name] as (...args: readonly unknown[]) => never)(...args));
  return { get: limit("get"), set: limit("set"), add: limit("add"), delete: limit("delete") };
}

/** Runs a function. Rejects if it has not finished after a time, whatever it still does. */
export function finishWithin<Result>(ms: number, what: string, run: () => Result): Promise<Awaited<Result>> {
  return within(ms, run, () => new Error(`${what} did not finish within ${ms} ms.`));
}
