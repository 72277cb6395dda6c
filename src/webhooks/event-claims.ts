import type { SeenStore } from "./seen-store.ts";

/** Times of claims, in milliseconds. */
export interface ClaimTimes {
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

const PREFIX = "billing-webhook";

/**
 * Claims events in a store, so that of several simultaneous deliveries one runs.
 *
 * A store without `add` can only read and write. There a claim is made in three steps: read that there is none, write an
 * own one, and read after `settleMs` that it is still there. If two processes both read that there is none, the later
 * write is the one that both find, provided that each writes in less than `settleMs` after it read. A process that was
 * slower gives up.
 */
export class EventClaims {
  readonly #store: SeenStore;
  readonly #times: ClaimTimes;
  readonly #running = new Set<string>();

  constructor(store: SeenStore, times: ClaimTimes) {
    this.#store = store;
    this.#times = times;
  }

  /**
   * Claims an event. Returns `handled` if it was handled before, and `running` if another delivery of it is running.
   *
   * @throws Error if the store fails, or is too slow.
   */
  async claim(id: string): Promise<EventClaim | "handled" | "running"> {
    if (this.#running.has(id)) return "running";
    this.#running.add(id);
    let claim: EventClaim | "handled" | "running" | undefined;
    try {
      claim = await this.#claimInStore(id);
      return claim;
    } finally {
      if (typeof claim !== "object") this.#running.delete(id);
    }
  }

  async #claimInStore(id: string): Promise<EventClaim | "handled" | "running"> {
    if (await this.#isHandled(id)) return "handled";
    const token = crypto.randomUUID();
    const key = `${PREFIX}:claim:${id}`;
    const isOurs = this.#store.add
      ? await this.#store.add(key, token, this.#times.leaseMs)
      : await this.#settle(key, token);
    if (!isOurs) return "running";
    const claim = this.#hold(id, key, token);
    if (!(await this.#isHandled(id))) return claim;
    await claim.release();
    return "handled";
  }

  async #isHandled(id: string): Promise<boolean> {
    return exists(await this.#store.get(`${PREFIX}:handled:${id}`));
  }

  async #settle(key: string, token: string): Promise<boolean> {
    const { leaseMs, settleMs } = this.#times;
    const started = performance.now();
    if (exists(await this.#store.get(key))) return false;
    await this.#set(key, token, leaseMs);
    const took = Math.ceil(performance.now() - started);
    if (took > settleMs / 2) {
      throw new Error(`seen took ${took} ms to claim the event. settleMs must be at least twice that.`);
    }
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    return (await this.#store.get(key)) === token;
  }

  /** Renews a claim until it ends. */
  #hold(id: string, key: string, token: string): EventClaim {
    const { leaseMs, rememberMs } = this.#times;
    let renewal: Promise<unknown> = Promise.resolve();
    const renew = () => {
      renewal = this.#set(key, token, leaseMs).catch(() => undefined);
    };
    const timer = setInterval(renew, leaseMs / 3);
    const end = async () => {
      clearInterval(timer);
      await renewal;
      this.#running.delete(id);
    };
    const release = async () => {
      await end();
      if ((await this.#store.get(key)) === token) await this.#store.delete(key);
    };
    const confirm = async () => {
      await this.#set(`${PREFIX}:handled:${id}`, token, rememberMs).finally(end);
      await release();
    };
    return { confirm, release };
  }

  async #set(key: string, value: string, ttl: number): Promise<void> {
    if ((await this.#store.set(key, value, ttl)) === false) throw new Error("seen.set returned false.");
  }
}

function exists(value: unknown): boolean {
  return value !== undefined && value !== null;
}
