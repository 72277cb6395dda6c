import { schedule } from "./timers.ts";

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
