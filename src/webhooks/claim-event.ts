import type { SeenStore } from "./seen-store.ts";

/** The store of claims, and their times in milliseconds. */
export interface ClaimSettings {
  readonly seen: SeenStore;
  /** Time after which the claim of a crashed process expires. */
  readonly leaseMs: number;
  /** Time for which a claim waits, if the store has no `add`. */
  readonly settleMs: number;
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
 * A store without `add` can only read and write, so a claim takes three steps: check that the event is not claimed, write
 * a claim, and check after `settleMs` that it is still the stored one. If two processes write a claim at the same time,
 * both then find the later one, provided that each wrote within `settleMs` of its first check. A process that took longer
 * fails.
 *
 * @throws Error if the store fails, or is too slow.
 */
export async function claimEvent(id: string, settings: ClaimSettings): Promise<EventClaim | "handled" | "running"> {
  const { seen, leaseMs } = settings;
  const handledKey = `billing-webhook:handled:${id}`;
  if (await exists(seen, handledKey)) return "handled";
  const key = `billing-webhook:claim:${id}`;
  const token = crypto.randomUUID();
  const isOurs = seen.add ? await seen.add(key, token, leaseMs) : await settle(key, token, settings);
  if (!isOurs) return "running";
  const claim = hold(key, handledKey, token, settings);
  if (!(await exists(seen, handledKey))) return claim;
  await claim.release();
  return "handled";
}

async function settle(key: string, token: string, { seen, leaseMs, settleMs }: ClaimSettings): Promise<boolean> {
  const started = performance.now();
  if (await exists(seen, key)) return false;
  await write(seen, key, token, leaseMs);
  const took = Math.ceil(performance.now() - started);
  if (took > settleMs / 2) {
    throw new Error(`seen took ${took} ms; settleMs must be at least twice that.`);
  }
  await new Promise((resolve) => setTimeout(resolve, settleMs));
  return (await seen.get(key)) === token;
}

/** Renews a claim until it ends. */
function hold(key: string, handledKey: string, token: string, settings: ClaimSettings): EventClaim {
  const { seen, leaseMs, rememberMs } = settings;
  let renewal: Promise<unknown> | undefined;
  const renew = () => {
    renewal = write(seen, key, token, leaseMs).catch(() => undefined);
  };
  const timer = setInterval(renew, leaseMs / 3);
  const release = async () => {
    clearInterval(timer);
    await renewal;
    if ((await seen.get(key)) === token) await seen.delete(key);
  };
  const confirm = async () => {
    await write(seen, handledKey, token, rememberMs).finally(() => clearInterval(timer));
    await release();
  };
  return { confirm, release };
}

async function write(seen: SeenStore, key: string, value: string, ttl: number): Promise<void> {
  if ((await seen.set(key, value, ttl)) === false) throw new Error("seen.set returned false.");
}

async function exists(seen: SeenStore, key: string): Promise<boolean> {
  return ((await seen.get(key)) ?? null) !== null;
}
