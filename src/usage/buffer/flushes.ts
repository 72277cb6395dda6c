import type { Outbox } from "../outbox.ts";
import { EventBufferError } from "./queue.ts";

/** The delay before another look at the outbox, in milliseconds. It doubles up to the poll interval, or the longest. */
const FIRST_LOOK = 10;
const LONGEST_LOOK = 1_000;

/** Tracks calls of `flush`. Each ends when the outbox has none of the events that were in it at its beginning. */
export class Flushes {
  readonly #outbox: Outbox;
  readonly #ship: () => void;
  readonly #removed: () => Promise<unknown>;
  /** The functions that end a flush with an error. */
  readonly #failing = new Set<(error: unknown) => void>();
  /** The functions that end a wait for a change. */
  readonly #waiting = new Set<() => void>();
  #changes = 0;

  /** @param removed Waits until the events that are being removed now are removed. */
  constructor(outbox: Outbox, ship: () => void, removed: () => Promise<unknown>) {
    this.#outbox = outbox;
    this.#ship = ship;
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
   * @throws The error of `fail`, or of the outbox.
   */
  async run(added: Promise<unknown>, timeout: number | undefined): Promise<void> {
    let fail: (error: unknown) => void = () => {};
    const failed = new Promise<never>((_, reject) => {
      fail = reject;
    });
    this.#failing.add(fail);
    const timer = timeout === undefined ? undefined : setTimeout(() => fail(late(timeout)), timeout);
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
    this.#changes += 1;
    for (const end of this.#waiting) end();
  }

  /** Ends every flush with an error. */
  fail(error: unknown): void {
    for (const fail of this.#failing) fail(error);
  }

  async #wait(added: Promise<unknown>, isActive: () => boolean): Promise<void> {
    this.#ship();
    await added;
    const newest = (await this.#outbox.state()).positions?.[1] ?? Number.POSITIVE_INFINITY;
    for (let looks = 0; isActive(); looks++) {
      const changes = this.#changes;
      const { events, positions } = await this.#outbox.state();
      if (events === 0 || (positions !== undefined && positions[0] > newest)) return;
      this.#ship();
      if (changes === this.#changes) await this.#change(looks);
    }
  }

  /** Waits for a delivery to end, or, since other processes also send events, for a while. */
  #change(looks: number): Promise<void> {
    const { pollInterval = LONGEST_LOOK } = this.#outbox;
    return new Promise((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(end);
        resolve();
      };
      const timer = setTimeout(end, Math.min(pollInterval, FIRST_LOOK * 2 ** Math.min(looks, 10)));
      this.#waiting.add(end);
    });
  }
}

function late(timeout: number): EventBufferError {
  const problem = `not every event was sent within ${timeout} ms; the events stay queued`;
  return new EventBufferError("timeout", `flush: ${problem}`);
}
