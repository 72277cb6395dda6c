/** The time without a 429 after which a pace is twice as fast, in milliseconds. A guess is tried out quickly. */
const DOUBLED_AFTER = { guess: 5_000, confirmed: 150_000 } as const;

/** A pace is a guess if it is more than this many times slower than the one before. */
const SIMILAR = 3;

/** The factor by which a 429 slows the pace down at least. */
const SLOWER = 1.03;

/** The longest time between two requests, in milliseconds, so that other clients of the same limit cannot hold events up. */
const LONGEST = 1_000;

/** The number of requests that are counted. */
const MOST_COUNTED = 10_000;

/** Learns from 429s how often requests may be sent: other processes may share the limit. */
export class Pace {
  readonly #shortest: number;
  /** The time between two requests that the last 429 has taught, in milliseconds. */
  #learned = 0;
  /** The time from which that is tried. */
  #since = 0;
  #doubledAfter: number = DOUBLED_AFTER.guess;
  /** The times of the last requests that succeeded. */
  readonly #successes: number[] = [];

  /** @param shortest The shortest time between two requests, in milliseconds; 0 for none. */
  constructor(shortest: number) {
    this.#shortest = shortest;
  }

  /** The time between two requests, in milliseconds. It shrinks slowly at first and then fast, as in CUBIC (RFC 9438). */
  get interval(): number {
    const elapsed = Math.max(0, performance.now() - this.#since);
    return Math.max(this.#shortest, this.#learned / (1 + (elapsed / this.#doubledAfter) ** 3));
  }

  /** Notes that a request succeeded. */
  succeeded(): void {
    this.#successes.push(performance.now());
    if (this.#successes.length > 2 * MOST_COUNTED) this.#successes.splice(0, MOST_COUNTED);
  }

  /**
   * Slows down after a 429: a time as long as the one that the service asks to wait had room for as many requests as succeeded
   * in it. If none did, others have used the limit up, and that says little.
   *
   * @param startedAt The time of the request. One from before the last change of the pace is ignored.
   * @param delay The time that the service asks to wait, in milliseconds.
   */
  limited(startedAt: number, delay: number): void {
    if (startedAt < this.#since) return;
    const now = performance.now();
    const { interval } = this;
    const succeeded = this.#successes.filter((at) => at > now - delay).length;
    const measured = succeeded === 0 ? 0 : Math.min(delay / succeeded, LONGEST);
    if (measured > 0) this.#doubledAfter = DOUBLED_AFTER[measured > SIMILAR * interval ? "guess" : "confirmed"];
    this.#learned = Math.min(Math.max(measured, interval * SLOWER), LONGEST);
    this.#since = now + delay;
  }
}
