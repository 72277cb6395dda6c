import { describeValue } from "../../src/values/describe.ts";

/** A moment: a `Date`, an ISO 8601 string, or milliseconds since 1970. */
export type Moment = Date | string | number;

/** The clock of a mock: the time of its source, plus the time by which it was advanced. */
export class Clock {
  readonly #source: () => number;
  readonly #isFixed: boolean;
  #advanced = 0;
  #stopped: number | undefined;

  /**
   * @param source Returns milliseconds since 1970.
   * @param isFixed Whether the source always returns the same time.
   */
  constructor(source: () => number, isFixed = false) {
    this.#source = source;
    this.#isFixed = isFixed;
  }

  /** The milliseconds by which the clock was advanced; part of the state. */
  get advanced(): number {
    return this.#advanced;
  }

  /** Whether time passes only by advancing: the clock is fixed and was advanced. Before, timers stand for the time. */
  get isManual(): boolean {
    return this.#isFixed && this.#advanced > 0;
  }

  /** Returns the current time in milliseconds since 1970. */
  now(): number {
    return this.#stopped ?? this.#source() + this.#advanced;
  }

  /** Sets the clock to a moment, at which it stands until `resume` is called. */
  stopAt(moment: number): void {
    this.#advanced += moment - this.now();
    this.#stopped = moment;
  }

  /** Lets the clock continue from the moment at which it stands. */
  resume(): void {
    const stopped = this.#stopped;
    if (stopped === undefined) return;
    this.#stopped = undefined;
    this.#advanced += stopped - this.now();
  }

  /** Sets the clock to the time of its source plus a number of milliseconds. */
  load(advanced: number): void {
    this.#stopped = undefined;
    this.#advanced = advanced;
  }
}

/**
 * Creates a clock: of the system's time, of a fixed moment, or of a function.
 *
 * @throws TypeError when the moment is invalid. The clock throws when the function returns an invalid moment.
 */
export function createClock(now: Moment | (() => Moment) | undefined): Clock {
  if (now === undefined) return new Clock(() => Date.now());
  if (typeof now === "function") return new Clock(() => requireMoment("createMock: `now`", now()));
  const fixed = requireMoment("createMock: `now`", now);
  return new Clock(() => fixed, true);
}

const FIRST = Date.parse("0000-01-01T00:00:00.000Z");
/** The last moment that a timestamp of the service can express. */
export const LAST: number = Date.parse("9999-12-31T23:59:59.999Z");

/** Formats a moment as the service does: `YYYY-MM-DDThh:mm:ss.ffffffZ`. One after the year 9999 becomes its last moment. */
export function formatTimestamp(millisecond: number): string {
  return `${new Date(Math.min(millisecond, LAST)).toISOString().slice(0, -1)}000Z`;
}

/**
 * Returns a moment in milliseconds since 1970.
 *
 * @param place The name of the parameter, for the message.
 * @throws TypeError when the moment is invalid.
 */
export function requireMoment(place: string, moment: unknown): number {
  const value = isMoment(moment) ? new Date(moment).getTime() : Number.NaN;
  if (value >= FIRST && value <= LAST) return value;
  const received = moment instanceof Date ? moment : describeValue(moment);
  throw new TypeError(`${place} must be a valid date in the years 0 to 9999; received ${received}.`);
}

function isMoment(value: unknown): value is Moment {
  return typeof value === "number" || typeof value === "string" || value instanceof Date;
}
