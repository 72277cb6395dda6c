import type { Moment } from "../state/clock.ts";

/** A time by which `advance` moves the clock: the sum of the given units, or a moment in `to`. */
export interface ClockAdvance {
  /** A number of days of 24 hours. */
  readonly days?: number | undefined;
  readonly hours?: number | undefined;
  readonly minutes?: number | undefined;
  readonly seconds?: number | undefined;
  readonly milliseconds?: number | undefined;
  /** The moment to advance to, instead of a number of units. */
  readonly to?: Moment | undefined;
}

/**
 * The clock of a mock. It follows the option `now`, and is part of the state: `reset` and `restore` also bring back the
 * time by which it was advanced.
 */
export interface MockClock {
  /** Returns the current time of the mock. */
  now(): Date;
  /**
   * Advances the clock, and waits until everything that becomes due in this time has happened, in order: each retry of a
   * delivery is made at the time at which it is due, and so are the retries that follow from it. Requests after that find
   * tokens expired and rate limits reset. The clock stands still meanwhile, and then continues. A second call waits for
   * the first.
   *
   * It does not wait for real time, except for receivers to respond. `reset` and `restore` end it.
   *
   * @returns The time of the mock afterwards.
   * @throws TypeError when the time is invalid, lies in the past or after the year 9999, and after 2,000 steps for each
   * pending retry, when receivers cause new events without end; the clock then stays at the last one.
   */
  advance(time: ClockAdvance): Promise<Date>;
}
