import type { Outbox } from "../outbox/index.ts";

interface Flush {
  /** The position of the newest event to wait for. */
  readonly newest: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** The functions of the shipper that flushes need. */
interface Shipping {
  ship(): void;
  /** Resolves when the events that were removed are also reported. */
  reported(): Promise<unknown>;
}

/** Tracks calls of `flush`. Each ends when the outbox has none of the events that were in it at its beginning. */
export class Flushes {
  readonly #outbox: Outbox;
  readonly #shipping: Shipping;
  readonly #failing = new Set<(error: unknown) => void>();
  readonly #waiting = new Set<Flush>();
  #isWatching = false;
  #isChanged = false;
  /** Ends the wait for a change of the outbox. */
  #wakeUp = (): void => {};

  constructor(outbox: Outbox, shipping: Shipping) {
    this.#outbox = outbox;
    this.#shipping = shipping;
  }

  /** True while a flush is in progress. */
  get isActive(): boolean {
    return this.#failing.size > 0;
  }

  /**
   * Waits until the events that are added now, and those that the outbox has, are removed from it.
   *
   * @param added Resolves when the events that are added now are in the outbox.
   * @throws The error of `fail`, or of the outbox.
   */
  async run(added: Promise<unknown>): Promise<void> {
    let fail: (error: unknown) => void = () => {};
    const failed = new Promise<never>((_, reject) => {
      fail = reject;
    });
    this.#failing.add(fail);
    try {
      await Promise.race([failed, this.#wait(added)]);
    } finally {
      this.#failing.delete(fail);
    }
  }

  /** Looks again whether events are left. */
  changed(): void {
    this.#isChanged = true;
    this.#wakeUp();
  }

  /** Ends every flush with an error. */
  fail(error: unknown): void {
    for (const fail of this.#failing) fail(error);
    for (const flush of this.#waiting) flush.reject(error);
    this.#waiting.clear();
    this.changed();
  }

  async #wait(added: Promise<unknown>): Promise<void> {
    this.#shipping.ship();
    await added;
    const { events, positions } = await this.#outbox.state();
    if (events > 0 && this.isActive) {
      const newest = positions?.[1] ?? Number.POSITIVE_INFINITY;
      await new Promise<void>((resolve, reject) => {
        this.#waiting.add({ newest, resolve, reject });
        if (!this.#isWatching) void this.#watch();
      });
    }
    await this.#shipping.reported();
  }

  /** Sends, and looks after each change, until no flush waits. */
  async #watch(): Promise<void> {
    this.#isWatching = true;
    for (let looks = 0; this.#waiting.size > 0; looks++) {
      this.#shipping.ship();
      if (!this.#isChanged) await this.#untilChanged(looks);
      this.#isChanged = false;
      await this.#look().catch((error: unknown) => this.fail(error));
    }
    this.#isWatching = false;
  }

  async #look(): Promise<void> {
    const waiting = [...this.#waiting];
    const { events, positions } = await this.#outbox.state();
    for (const flush of waiting) {
      if (events > 0 && !(positions !== undefined && positions[0] > flush.newest)) continue;
      this.#waiting.delete(flush);
      flush.resolve();
    }
  }

  /** Waits for a delivery to end, or, since other processes also send events, for a while. */
  #untilChanged(looks: number): Promise<void> {
    return new Promise((resolve) => {
      const { pollInterval = SLOW_LOOK } = this.#outbox;
      const timer = setTimeout(resolve, Math.min(pollInterval, FIRST_LOOK * 2 ** Math.min(looks, 10)));
      this.#wakeUp = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

/** The first delay before another look, in milliseconds. It doubles up to the poll interval of the outbox. */
const FIRST_LOOK = 10;
/** The longest delay for an outbox that is not shared. */
const SLOW_LOOK = 1_000;
