import { within } from "../values/wait.ts";
import type { SeenStore } from "./options.ts";

/** The store of claims, and their times in milliseconds. */
export interface ClaimSettings {
  readonly seen: SeenStore;
  /** Time after which the claim of a crashed process expires. */
  readonly leaseMs: number;
  /** Time for which a handled event is remembered. */
  readonly rememberMs: number;
}

/** A claim on an event. End it with `confirm` or `release`. */
export interface EventClaim {
  /** Marks the event as handled. */
  confirm(): Promise<void>;
  /** Gives the claim up, so that the next delivery of the event can run. */
  release(): Promise<void>;
}

/**
 * Claims an event in a store, so that of several simultaneous deliveries one runs. Returns `handled` if the event was
 * handled before, and `running` if another delivery of it is being processed.
 *
 * A store without `add` can only read and write. If two processes read before one of them writes, both run the event.
 *
 * @throws Error if the store fails.
 */
export async function claimEvent(id: string, settings: ClaimSettings): Promise<EventClaim | "handled" | "running"> {
  const { seen, leaseMs, rememberMs } = settings;
  const handledKey = `billing-webhook:handled:${id}`;
  const key = `billing-webhook:claim:${id}`;
  const token = crypto.randomUUID();
  // A store may return an empty string or `false` for a missing key. An object may be a result without rows, so it is rejected.
  const has = async (name: string): Promise<boolean> => {
    const value = await seen.get(name);
    if (value === Object(value)) throw new Error("seen.get returned an object.");
    return Boolean(value);
  };
  const write = async (name: string, ttl: number): Promise<void> => {
    if ((await seen.set(name, token, ttl)) === false) throw new Error("seen.set returned false.");
  };

  if (await has(handledKey)) return "handled";
  if (seen.add) {
    if (!(await seen.add(key, token, leaseMs))) return "running";
  } else {
    if (await has(key)) return "running";
    await write(key, leaseMs);
  }

  // The claim is renewed only after the store has answered once more: a store that fails here must not block the event.
  let renewal: Promise<unknown> | undefined;
  let timer: ReturnType<typeof setInterval> | undefined;
  const release = async (): Promise<void> => {
    clearInterval(timer);
    await renewal;
    if ((await seen.get(key)) === token) await seen.delete(key);
  };
  if (await has(handledKey)) {
    await release();
    return "handled";
  }
  timer = setInterval(() => {
    renewal = write(key, leaseMs).catch(() => undefined);
  }, leaseMs / 3);
  const confirm = async (): Promise<void> => {
    await write(handledKey, rememberMs).finally(() => clearInterval(timer));
    await release();
  };
  return { confirm, release };
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
  };
  // A handler runs an event once at a time, and no other handler has this store: a claim needs no entry.
  return { get, set, add: () => true, delete: (key) => entries.delete(key) };
}

/** Limits the time of each call, so that a store that hangs once cannot block an event until the process restarts. */
export function limitStore(seen: SeenStore, ms: number): SeenStore {
  const limit =
    (name: keyof SeenStore) =>
    (...args: readonly unknown[]): Promise<never> =>
      finishWithin(ms, `seen.${name}`, () => (seen[name] as (...args: readonly unknown[]) => never)(...args));
  return { get: limit("get"), set: limit("set"), delete: limit("delete"), ...(seen.add && { add: limit("add") }) };
}

/** Runs a function. Rejects if it has not finished after a time, whatever it still does. */
export function finishWithin<Result>(ms: number, what: string, run: () => Result): Promise<Awaited<Result>> {
  return within(ms, run, () => new Error(`${what} did not finish within ${ms} ms.`));
}
