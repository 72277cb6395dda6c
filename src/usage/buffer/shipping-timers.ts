import type { Outbox } from "../outbox/index.ts";

type Timer = ReturnType<typeof setTimeout>;

/** The functions that the timers call. */
export interface TimerCalls {
  ship(): void;
  extend(): void;
  poll(): void;
}

/** The part of a lease after which it is extended. */
const EXTEND_AFTER = 1 / 3;

/** Holds the timers of a shipper. Only a delayed shipment keeps the process running, because it has events to send. */
export class ShippingTimers {
  readonly #calls: TimerCalls;
  readonly #intervals: Timer[] = [];
  #shipment: Timer | undefined;
  #isStopped = false;

  constructor({ leaseDuration, pollInterval }: Outbox, calls: TimerCalls) {
    this.#calls = calls;
    if (leaseDuration !== undefined) this.#every(leaseDuration * EXTEND_AFTER, () => calls.extend());
    if (pollInterval !== undefined) this.#every(pollInterval, () => calls.poll());
  }

  /** Ships after a number of milliseconds, unless a shipment is planned. */
  shipWithin(delay: number): void {
    if (this.#isStopped) return;
    this.#shipment ??= setTimeout(() => {
      this.#shipment = undefined;
      this.#calls.ship();
    }, delay);
  }

  /** Clears every timer, and starts no other. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#shipment);
    for (const interval of this.#intervals) clearInterval(interval);
  }

  #every(delay: number, call: () => void): void {
    const interval = setInterval(call, delay);
    (interval as { unref?(): void }).unref?.();
    this.#intervals.push(interval);
  }
}
