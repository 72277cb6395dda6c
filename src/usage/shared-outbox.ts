import type { Checks } from "../errors/checks.ts";
import { within } from "../values/wait.ts";
import {
  type NewOutboxEvent,
  type Outbox,
  OutboxError,
  type OutboxEvent,
  type OutboxState,
  type TakeLimit,
} from "./outbox.ts";

/** A server that stores events for several processes, with leases. */
export interface SharedStorage extends Pick<Outbox, "check" | "take" | "state"> {
  /** The name of the function that creates the outbox, for errors. */
  readonly name: string;
  append(events: readonly NewOutboxEvent[]): Promise<unknown>;
  /** Ends every lease of this outbox that it does not know. */
  reclaim(known: readonly string[]): Promise<unknown>;
  extend(ids: readonly string[]): Promise<unknown>;
  confirm(ids: readonly string[]): Promise<unknown>;
  release(ids: readonly string[]): Promise<unknown>;
  /** Explains why a call failed. */
  explain(method: string, error: unknown): OutboxError;
}

/** Options that shared outboxes have in common. */
export interface LeaseSettings {
  readonly leaseDuration: number;
  readonly pollInterval: number;
}

/** Checks the options that shared outboxes have in common, and applies the defaults. */
export function readLeases(check: Checks, options: Partial<LeaseSettings>): LeaseSettings {
  return {
    leaseDuration: check.integer("leaseDuration", options.leaseDuration ?? 30_000, 100),
    pollInterval: check.integer("pollInterval", options.pollInterval ?? 1_000, 10),
  };
}

/** The time limit of a call, in milliseconds. Not every client tells that it has lost its connection. */
const CALL_LIMIT = 5_000;

/** An outbox in a server. Every call has a time limit; what a lost or late call has leased is found at the next `take`. */
export class SharedOutbox implements Outbox {
  readonly durable = true;
  readonly leaseDuration: number;
  readonly pollInterval: number;
  readonly #storage: SharedStorage;
  /** The ids of the leased events. */
  readonly #leased = new Set<string>();
  /** Whether the server may have leased events to this outbox that it does not know. */
  #isUnsure = false;
  #taking: Promise<unknown> = Promise.resolve();
  #hasTaken = false;
  #isClosed = false;

  constructor(storage: SharedStorage, { leaseDuration, pollInterval }: LeaseSettings) {
    this.leaseDuration = leaseDuration;
    this.pollInterval = pollInterval;
    this.#storage = storage;
  }

  async check(): Promise<string | undefined> {
    return this.#run("check", async () => this.#storage.check?.());
  }

  async append(events: readonly NewOutboxEvent[]): Promise<void> {
    await this.#run("append", () => this.#storage.append(events));
  }

  /** Takes events after earlier calls, so that it knows what these have leased. */
  take(limit: TakeLimit): Promise<readonly OutboxEvent[]> {
    const taking = this.#taking.then(() => this.#take(limit));
    this.#taking = taking.catch(() => {
      this.#isUnsure = true;
    });
    return taking;
  }

  async #take(limit: TakeLimit): Promise<readonly OutboxEvent[]> {
    if (this.#isUnsure) await this.#run("take", () => this.#storage.reclaim([...this.#leased]));
    this.#isUnsure = false;
    this.#hasTaken = true;
    const started = performance.now();
    const taken = await this.#run("take", async () => {
      try {
        return await this.#storage.take(limit);
      } finally {
        // A call that was given up may have leased events that nobody sends.
        this.#isUnsure ||= performance.now() - started >= CALL_LIMIT;
      }
    });
    for (const { id } of taken) this.#leased.add(id);
    return taken;
  }

  async extend(events: readonly OutboxEvent[]): Promise<void> {
    await this.#run("extend", () => this.#storage.extend(idsOf(events)));
  }

  async confirm(events: readonly OutboxEvent[]): Promise<void> {
    await this.#run("confirm", () => this.#storage.confirm(idsOf(events)));
    for (const { id } of events) this.#leased.delete(id);
  }

  async release(events: readonly OutboxEvent[]): Promise<void> {
    for (const { id } of events) this.#leased.delete(id);
    await this.#run("release", () => this.#storage.release(idsOf(events))).catch((error: unknown) => {
      this.#isUnsure = true;
      throw error;
    });
  }

  state(): Promise<OutboxState> {
    return this.#run("state", () => this.#storage.state());
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    if (this.#hasTaken) await this.#run("close", () => this.#storage.reclaim([]));
    this.#hasTaken = false;
  }

  async #run<Result>(method: string, call: () => Promise<Result>): Promise<Result> {
    const { name } = this.#storage;
    if (this.#isClosed && method !== "close") {
      throw new OutboxError("closed", `${name}: ${method} was called after close`);
    }
    const late = () =>
      new Error(`no response within ${CALL_LIMIT / 1_000} seconds. Check that the server can be reached.`);
    try {
      return (await within(CALL_LIMIT, call, late)) as Result;
    } catch (error) {
      throw error instanceof OutboxError ? error : this.#storage.explain(method, error);
    }
  }
}

function idsOf(events: readonly OutboxEvent[]): string[] {
  return events.map(({ id }) => id);
}
