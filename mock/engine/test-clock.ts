import { type Clock, formatTimestamp } from "../state/clock.ts";
import type { RetryTimers } from "../webhooks/queue.ts";
import { advancedTo, requireAdvance } from "./advance-target.ts";
import type { ClockAdvance, MockClock } from "./mock-clock.ts";

/** Maximum number of moments at which retries are made in one advance, for receivers that cause new events without end. */
const MAX_STEPS = 100_000;

/** The same for each pending retry: about twice the most attempts of an event. */
const MAX_STEPS_EACH = 2_000;

/** Advances the clock of a mock from one due retry to the next. */
export class TestClock implements MockClock {
  readonly #clock: Clock;
  readonly #retries: RetryTimers;
  readonly #idle: () => Promise<void>;
  #last: Promise<unknown> = Promise.resolve();
  /** Aborts when another state is loaded. */
  #life = new AbortController();

  /** @param idle Waits until every delivery that is due has been made. */
  constructor(clock: Clock, retries: RetryTimers, idle: () => Promise<void>) {
    this.#clock = clock;
    this.#retries = retries;
    this.#idle = idle;
  }

  /** Changes whenever the clock is set, not when time passes. */
  get revision(): number {
    return this.#clock.revision;
  }

  now(): Date {
    return new Date(this.#clock.now());
  }

  async advance(time: ClockAdvance): Promise<Date> {
    requireAdvance(time);
    const { signal } = this.#life;
    const advanced = this.#last.then(() => this.#advance(time, signal));
    this.#last = advanced.catch(() => {});
    await advanced;
    return this.now();
  }

  /** Ends every advance where it stands, because another state is loaded. */
  stop(): void {
    this.#life.abort();
    this.#life = new AbortController();
  }

  async #advance(time: ClockAdvance, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const now = this.#clock.now();
    const target = advancedTo(time, now);
    this.#clock.stopAt(now);
    this.#retries.pause();
    try {
      await this.#passUntil(target, signal);
    } finally {
      if (!signal.aborted) this.#continue();
    }
  }

  async #passUntil(target: number, signal: AbortSignal): Promise<void> {
    await this.#idle();
    const maxSteps = Math.min(MAX_STEPS, MAX_STEPS_EACH * this.#retries.size);
    for (let step = 0; !signal.aborted; step++) {
      const due = this.#retries.earliest;
      if (due === undefined || due > target) return this.#clock.stopAt(target);
      if (step === maxSteps) throw tooManySteps(maxSteps, this.#clock.now());
      this.#clock.stopAt(Math.max(due, this.#clock.now()));
      this.#retries.fire(due);
      await this.#idle();
    }
  }

  #continue(): void {
    if (!this.#clock.isManual) this.#retries.resume(this.#clock.now());
    this.#clock.run();
  }
}

function tooManySteps(steps: number, now: number): TypeError {
  return new TypeError(
    `clock.advance: stopped at ${formatTimestamp(now)} after ${steps} steps, because more retries were due. ` +
      "Advance in smaller parts, or limit the retries with the assumption `retry`.",
  );
}
