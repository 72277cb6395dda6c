import { wait } from "../../client/deadline.ts";
import { LONGEST_DELAY } from "../options/check-options.ts";

/** Limits of the delay before a retry, in milliseconds. */
export interface RetryDelays {
  readonly min: number;
  readonly max: number;
}

/** The maximum `Retry-After` that is honoured, in milliseconds: one hour. */
const LONGEST_RETRY_AFTER = 3_600_000;

/** Returns the delay before a retry: it doubles with every attempt, and jitter shortens it by up to half. */
export function backoff(attempt: number, { min, max }: RetryDelays): number {
  const longest = Math.min(max, min * 2 ** Math.min(attempt - 1, 30), LONGEST_DELAY);
  return longest * (0.5 + Math.random() / 2);
}

/** Delays requests. After `Retry-After`, no request of the same gate is sent until the time has passed. */
export class RetryGate {
  readonly signal: AbortSignal;
  #opensAt = 0;
  #hurry = new AbortController();

  constructor(signal: AbortSignal) {
    this.signal = signal;
  }

  /** Closes the gate for a time that the service requested, in milliseconds. */
  closeFor(delay: number): void {
    this.#opensAt = Math.max(this.#opensAt, performance.now() + Math.min(delay, LONGEST_RETRY_AFTER));
  }

  /** Ends the delays that the service did not request, to try again at once. */
  hurry(): void {
    this.#hurry.abort();
    this.#hurry = new AbortController();
  }

  /**
   * Waits for a number of milliseconds, and then until the gate is open.
   *
   * @throws {@link AbortedError} or {@link TimeoutError} when the signal aborts.
   */
  async pass(delay = 0): Promise<void> {
    if (this.signal.aborted) await this.#wait(0, this.signal);
    if (delay > 0) await this.#pause(delay);
    for (let left = this.#left(); left > 0; left = this.#left()) await this.#wait(left, this.signal);
  }

  /** Waits for a promise. Rejects like `pass` when the signal aborts. */
  race<Value>(promise: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      const onAbort = (): void => void this.pass().catch(reject);
      this.signal.addEventListener("abort", onAbort, { once: true });
      promise.then(resolve, reject).finally(() => this.signal.removeEventListener("abort", onAbort));
    });
  }

  async #pause(delay: number): Promise<void> {
    const either = AbortSignal.any([this.signal, this.#hurry.signal]);
    await this.#wait(delay, either).catch((error: unknown) => {
      if (this.signal.aborted) throw error;
    });
  }

  #left(): number {
    return Math.ceil(this.#opensAt - performance.now());
  }

  #wait(delay: number, signal: AbortSignal): Promise<void> {
    return wait(delay, signal, "events:ingest");
  }
}
