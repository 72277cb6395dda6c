import { LONGEST_DELAY, signalErrorOf } from "../errors/checks.ts";
import { untilAborted, wait } from "../values/wait.ts";
import { Pace } from "./pace.ts";

/** Limits of the delay before a retry, in milliseconds. */
export interface RetryDelays {
  readonly min: number;
  readonly max: number;
}

/** Returns the delay before a retry: it doubles with every attempt, and jitter shortens it by up to half. */
export function backoff(attempt: number, { min, max }: RetryDelays): number {
  const longest = Math.min(max, min * 2 ** Math.min(attempt - 1, 30), LONGEST_DELAY);
  return longest * (0.5 + Math.random() / 2);
}

/** Waits that end early: when the signal aborts, or when `wake` is called. */
class Pauses {
  readonly signal: AbortSignal;
  #wakeUp = new AbortController();

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  /** Ends every pause now. */
  wake(): void {
    this.#wakeUp.abort();
    this.#wakeUp = new AbortController();
  }

  /** @throws {@link AbortedError} or {@link TimeoutError} if the signal has aborted. */
  throwIfAborted(): void {
    if (this.signal.aborted) throw signalErrorOf(this.signal, "events:ingest");
  }

  /** Waits for a number of milliseconds. Rejects like `throwIfAborted` when the signal aborts. */
  async pause(delay: number): Promise<void> {
    this.throwIfAborted();
    const either = AbortSignal.any([this.signal, this.#wakeUp.signal]);
    await wait(Math.min(delay, LONGEST_DELAY), either).catch(() => this.throwIfAborted());
  }

  /** Waits for a promise. Rejects like `throwIfAborted` when the signal aborts. */
  race<Value>(promise: Promise<Value>): Promise<Value> {
    return untilAborted(this.signal, promise).finally(() => this.throwIfAborted());
  }
}

/** Limits of the requests of one buffer or run. */
export interface SendingLimits {
  readonly concurrency: number;
  /** Infinity for no limit. */
  readonly requestsPerSecond: number;
  readonly delays: RetryDelays;
}

/** The time without a success after which a success also ends the delays of single batches, in milliseconds. */
const OUTAGE = 250;

/**
 * Decides when requests are sent, in the order in which they ask. After a failure without a success in the meantime, all of
 * them wait, and one at a time tries whether the service is back. A failure halves the number of concurrent requests, and a
 * success raises it by one.
 */
export class SendingGate extends Pauses {
  readonly #limits: SendingLimits;
  readonly #turns: Pauses;
  #pace: Pace;
  /** The requests that wait for their turn. */
  readonly #waiting = new Set<object>();
  /** The times before which no request is sent: as the service asked for, after failures, and to keep the pace. */
  #asked = 0;
  #backedOff = 0;
  #paced = 0;
  /** The number of requests that may run now, and of those that do. */
  #limit: number;
  #running = 0;
  /** The consecutive failures without a success in the meantime. */
  #failures = 0;
  #failedAt = 0;
  #succeededAt = 0;

  constructor(signal: AbortSignal, limits: SendingLimits) {
    super(signal);
    this.#turns = new Pauses(signal);
    this.#limits = limits;
    this.#pace = new Pace(1_000 / limits.requestsPerSecond);
    this.#limit = limits.concurrency;
  }

  /** The number of requests in progress. */
  get running(): number {
    return this.#running;
  }

  /** The number of milliseconds that the service still asks to wait for; 0 if it does not. */
  get askedDelay(): number {
    return Math.max(0, this.#asked - performance.now());
  }

  /**
   * Ends the delays that the service did not ask for, to try again at once.
   *
   * @param isLast Whether also to forget the pace, because little time is left.
   */
  hurry(isLast = false): void {
    this.#backedOff = 0;
    if (isLast) this.#pace = new Pace(1_000 / this.#limits.requestsPerSecond);
    this.wake();
    this.#turns.wake();
  }

  /** Waits until a request may be sent, after a delay of its own. If it resolves, the request ends with `leave`. */
  async enter(delay = 0): Promise<void> {
    this.throwIfAborted();
    if (delay > 0) await this.pause(delay);
    const turn = {};
    this.#waiting.add(turn);
    try {
      for (let left = this.#left(turn); left > 0; left = this.#left(turn)) await this.#turns.pause(left);
    } finally {
      this.#waiting.delete(turn);
      if (this.#waiting.size > 0) this.#turns.wake();
    }
    this.#running += 1;
    // A timer is late by some milliseconds, which the next one makes up for.
    this.#paced = Math.max(this.#paced, performance.now() - 10) + this.#pace.interval;
  }

  /** Returns the number of milliseconds until it is worth looking again; 0 if it is a request's turn. */
  #left(turn: object): number {
    const [first] = this.#waiting;
    if (first !== turn || this.#running >= this.#limit) return LONGEST_DELAY;
    return Math.max(0, Math.ceil(Math.max(this.#asked, this.#backedOff, this.#paced) - performance.now()));
  }

  /** Ends a request. It succeeded if the service stored or rejected its events. */
  leave(isSuccess: boolean): void {
    this.#running -= 1;
    if (isSuccess) {
      this.#pace.succeeded();
      const isBack = this.#failures > 0 && performance.now() - this.#succeededAt > OUTAGE;
      [this.#failures, this.#backedOff, this.#succeededAt] = [0, 0, performance.now()];
      this.#limit = Math.min(this.#limits.concurrency, this.#limit + 1);
      if (isBack) this.wake();
    }
    this.#turns.wake();
  }

  /**
   * Notes that a request failed, before it ends.
   *
   * @param attempt The number of consecutive failures of its events.
   * @param isLimited Whether the response has status 429.
   * @param retryAfter The delay that the service asks for, in milliseconds.
   * @returns The delay before the next attempt, and the part of it that `enter` does not know, in milliseconds.
   */
  fail(startedAt: number, attempt: number, isLimited: boolean, retryAfter?: number): [delay: number, own: number] {
    this.#limit = Math.max(1, Math.floor(this.#limit / 2));
    if (isLimited) this.#pace.limited(startedAt, retryAfter ?? 1_000);
    const now = performance.now();
    if (retryAfter !== undefined) {
      this.#asked = Math.max(this.#asked, now + retryAfter);
      return [retryAfter, 0];
    }
    if (this.#succeededAt > startedAt) {
      const own = backoff(attempt, this.#limits.delays);
      return [own, own];
    }
    if (startedAt >= this.#failedAt) {
      this.#failures += 1;
      this.#failedAt = now;
      this.#backedOff = now + backoff(this.#failures, this.#limits.delays);
    }
    return [Math.max(0, this.#backedOff - now), 0];
  }
}
