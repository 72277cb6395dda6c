import { deferred } from "../../values/wait.ts";
import type { Outbox } from "../outbox.ts";
import { EventBufferError } from "./appender.ts";

/** The delay before another look at the outbox, in milliseconds. It doubles up to the poll interval, or the longest. */
const FIRST_LOOK = 10;
const LONGEST_LOOK = 1_000;

/** Tracks calls of `flush`. Each ends when the outbox has none of the events that were in it at its beginning. */
export class Flushes {
  readonly #outbox: Outbox;
  readonly #sendAll: () => void;
  readonly #removed: () => Promise<unknown>;
  /** The functions that end a flush with an error. */
  readonly #failing = new Set<(error: unknown) => void>();
  #change = deferred<void>();

  /** @param removed Waits until the events that are being removed now are removed. */
  constructor(outbox: Outbox, sendAll: () => void, removed: () => Promise<unknown>) {
    this.#outbox = outbox;
    this.#sendAll = sendAll;
    this.#removed = removed;
  }

  /** True while a flush is in progress. */
  get isActive(): boolean {
    return this.#failing.size > 0;
  }

  /**
   * Waits until the events that are added now, and those that the outbox has, are removed from it.
   *
   * @param added Resolves when the events that are added now are in the outbox.
   * @param timeout In milliseconds; undefined for none.
   * @param cause Returns the reason why events are left.
   * @throws The error of `fail`, or of the outbox.
   */
  async run(added: Promise<unknown>, timeout: number | undefined, cause: () => unknown): Promise<void> {
    const { promise: failed, reject: fail } = deferred<never>();
    this.#failing.add(fail);
    const timer = timeout === undefined ? undefined : setTimeout(() => fail(late(timeout, cause())), timeout);
    const removed = this.#wait(added, () => this.#failing.has(fail)).then(this.#removed);
    try {
      await Promise.race([failed, removed]);
    } finally {
      clearTimeout(timer);
      this.#failing.delete(fail);
      this.changed();
    }
  }

  /** Looks again whether events are left. */
  changed(): void {
    this.#change.resolve();
    this.#change = deferred();
  }

  /** Ends every flush with an error. */
  fail(error: unknown): void {
    for (const fail of this.#failing) fail(error);
  }

  async #wait(added: Promise<unknown>, isActive: () => boolean): Promise<void> {
    this.#sendAll();
    await added;
    const newest = (await this.#outbox.state()).positions?.[1] ?? Number.POSITIVE_INFINITY;
    const { pollInterval = LONGEST_LOOK } = this.#outbox;
    for (let delay = FIRST_LOOK; isActive(); delay = Math.min(pollInterval, delay * 2)) {
      const { promise: changed } = this.#change;
      const { events, positions } = await this.#outbox.state();
      if (events === 0 || (positions !== undefined && positions[0] > newest)) return;
      this.#sendAll();
      // Other processes also remove events.
      const timer = setTimeout(() => this.changed(), delay);
      await changed;
      clearTimeout(timer);
    }
  }
}

function late(timeout: number, cause: unknown): EventBufferError {
  const problem = `not every event was sent within ${timeout} ms; the events stay queued`;
  return new EventBufferError("timeout", `flush: ${problem}`, { cause });
}
