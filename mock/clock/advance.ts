import { anything, count, type FieldType, requireOptions } from "../options/field-types.ts";
import { type Clock, formatTimestamp, LAST, type Moment, requireMoment } from "./clock.ts";
import { schedule } from "./timers.ts";

/** An amount of time to advance by, as the sum of the units, or a moment to advance to. */
export interface ClockAdvance {
  /** Days of 24 hours. */
  readonly days?: number | undefined;
  readonly hours?: number | undefined;
  readonly minutes?: number | undefined;
  readonly seconds?: number | undefined;
  readonly milliseconds?: number | undefined;
  /** The moment to advance to, instead of units. */
  readonly to?: Moment | undefined;
}

/**
 * A mock's clock. It follows the option `now`. How far it was advanced is part of the mock's state, which `reset` restores.
 */
export interface MockClock {
  /** Returns the mock's current time. */
  now(): Date;
  /**
   * Advances the clock, and waits until every delivery retry that becomes due in this time has been made, in order. Afterwards,
   * tokens have expired and rate limits are reset. The clock stands still during the call. A second call waits for the first.
   *
   * It waits in real time only for receivers to respond. `reset` ends it.
   *
   * @returns The mock's new time.
   * @throws TypeError when the time is invalid, in the past or after the year 9999. Also if receivers keep
   * causing new events: after 2,000 steps for each pending retry, the clock stops at the last step.
   */
  advance(time: ClockAdvance): Promise<Date>;
}

/** The maximum number of moments at which retries are made, for each pending one: about twice the most attempts of an event. */
const MAX_STEPS = 2_000;

interface PendingRetry {
  /** The time by the mock's clock, in milliseconds since 1970. */
  readonly due: number;
  readonly call: () => void;
  cancel: () => void;
}

/** The pending retries by the id of their event, each with a timer. While the clock is moved, no timer runs. */
export class RetryTimers {
  readonly #pending = new Map<string, PendingRetry>();
  #isPaused = false;

  get size(): number {
    return this.#pending.size;
  }

  /** The time at which the next retry is due; `Infinity` when none is pending. */
  get earliest(): number {
    return Math.min(...Array.from(this.#pending.values(), ({ due }) => due));
  }

  /**
   * Calls a function at a time of the mock's clock, under an id that no pending retry has.
   *
   * @param wait The milliseconds until then.
   */
  set(id: string, due: number, wait: number, call: () => void): void {
    const retry: PendingRetry = { due, call, cancel: () => {} };
    this.#pending.set(id, retry);
    if (!this.#isPaused) this.#start(id, retry, wait);
  }

  /** Calls the functions that are due at a time or before it. */
  fire(time: number): void {
    for (const [id, retry] of this.#pending) if (retry.due <= time) this.#fire(id, retry);
  }

  /** Cancels the timer of an id, if there is one. */
  clear(id: string): void {
    this.#pending.get(id)?.cancel();
    this.#pending.delete(id);
  }

  /** Cancels every timer, and ends a pause. */
  clearAll(): void {
    this.pause();
    this.#pending.clear();
    this.#isPaused = false;
  }

  /** Stops the timers. From now on, only `fire` calls the functions. */
  pause(): void {
    this.#isPaused = true;
    for (const retry of this.#pending.values()) retry.cancel();
  }

  /** Starts the timers again. */
  resume(now: number): void {
    this.#isPaused = false;
    for (const [id, retry] of this.#pending) this.#start(id, retry, retry.due - now);
  }

  #start(id: string, retry: PendingRetry, wait: number): void {
    retry.cancel = schedule(wait, () => this.#fire(id, retry));
  }

  #fire(id: string, retry: PendingRetry): void {
    this.#pending.delete(id);
    retry.call();
  }
}

/** The releases that the passing of time makes. */
interface Calendar {
  readonly nextRelease: number;
  catchUp(): void;
}

/** Advances the clock of a mock from one due retry or release to the next. */
export class TestClock implements MockClock {
  readonly #clock: Clock;
  readonly #retries: RetryTimers;
  readonly #idle: () => Promise<void>;
  readonly #calendar: Calendar;
  #last: Promise<unknown> = Promise.resolve();
  /** Aborts when another state is loaded. */
  #life = new AbortController();

  /** @param idle Waits until every delivery that is due has been made. */
  constructor(clock: Clock, retries: RetryTimers, idle: () => Promise<void>, calendar: Calendar) {
    this.#calendar = calendar;
    this.#clock = clock;
    this.#retries = retries;
    this.#idle = idle;
  }

  now(): Date {
    return new Date(this.#clock.now());
  }

  async advance(time: ClockAdvance): Promise<Date> {
    const targetAt = readAdvance(time);
    const { signal } = this.#life;
    const advanced = this.#last.then(() => this.#advance(targetAt, signal));
    this.#last = advanced.catch(() => {});
    await advanced;
    return this.now();
  }

  /** Ends every advance where it stands, because another state is loaded. */
  stop(): void {
    this.#life.abort();
    this.#life = new AbortController();
  }

  async #advance(targetAt: (now: number) => number, signal: AbortSignal): Promise<void> {
    if (signal.aborted) return;
    const now = this.#clock.now();
    const target = requireTarget(targetAt(now), now);
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
    const maxSteps = MAX_STEPS * Math.max(1, this.#retries.size);
    for (let step = 0; !signal.aborted; step++) {
      const due = Math.min(this.#retries.earliest, this.#calendar.nextRelease);
      if (due > target) return this.#clock.stopAt(target);
      if (step === maxSteps) throw tooManySteps(maxSteps, this.#clock.now());
      this.#clock.stopAt(Math.max(due, this.#clock.now()));
      this.#calendar.catchUp();
      this.#retries.fire(due);
      await this.#idle();
    }
  }

  #continue(): void {
    if (!this.#clock.isManual) this.#retries.resume(this.#clock.now());
    this.#clock.resume();
  }
}

function tooManySteps(steps: number, now: number): TypeError {
  return new TypeError(
    `clock.advance: stopped at ${formatTimestamp(now)} after ${steps} steps, because more retries were due. ` +
      "Advance in smaller parts, or limit the retries with the assumption `retry`.",
  );
}

const FIELDS: Readonly<Record<keyof ClockAdvance, FieldType>> = {
  ...{ days: count, hours: count, minutes: count, seconds: count, milliseconds: count },
  to: anything,
};

/**
 * Returns a function from the current time to the time to advance to, both in milliseconds since 1970.
 *
 * @throws TypeError when the given time is empty, or has an unknown or invalid field.
 */
function readAdvance(time: ClockAdvance): (now: number) => number {
  requireOptions("clock.advance", time, FIELDS);
  const { to, ...units } = time;
  const isUnits = Object.values(units).some((value) => value !== undefined);
  if (isUnits === (to !== undefined)) throw new TypeError(`clock.advance: pass either ${UNITS}, or \`to\`.`);
  if (isUnits) return (now) => now + lengthOf(units);
  const moment = requireMoment("clock.advance: `to`", to);
  return () => moment;
}

const UNITS = "`days`, `hours`, `minutes`, `seconds`, `milliseconds`";

/** Returns the time to advance to. Throws a TypeError when it lies before the current time or after the year 9999. */
function requireTarget(target: number, now: number): number {
  if (target > LAST) throw new TypeError(`clock.advance: the time must not be after ${formatTimestamp(LAST)}.`);
  if (target >= now) return target;
  throw new TypeError(
    `clock.advance: \`to\` must not be before the time of the mock, ${formatTimestamp(now)}; received ` +
      `${formatTimestamp(target)}. To go back, use reset.`,
  );
}

function lengthOf({ days = 0, hours = 0, minutes = 0, seconds = 0, milliseconds = 0 }: ClockAdvance): number {
  return Math.round((((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000 + milliseconds);
}
