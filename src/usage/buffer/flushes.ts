interface Flush {
  /** The number of events to take before the flush can end. */
  left: number;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Tracks calls of `flush`. Each ends when the events that were in the outbox at its beginning are sent. */
export class Flushes {
  readonly #waiting = new Set<Flush>();

  /** Waits until a number of events are taken, or none is left, and the deliveries of that time have ended. */
  wait(events: number): Promise<void> {
    return new Promise((resolve, reject) => this.#waiting.add({ left: events, resolve, reject }));
  }

  /** Notes that events were taken; none if no event was available. */
  taken(events: number, deliveries: Iterable<Promise<void>>): void {
    for (const flush of this.#waiting) {
      if (flush.left <= 0) continue;
      flush.left = events === 0 ? 0 : flush.left - events;
      if (flush.left <= 0) this.#endAfter(flush, [...deliveries]);
    }
  }

  /** Ends every flush with an error. */
  fail(error: unknown): void {
    for (const flush of this.#waiting) flush.reject(error);
    this.#waiting.clear();
  }

  #endAfter(flush: Flush, deliveries: readonly Promise<void>[]): void {
    void Promise.allSettled(deliveries).then(() => {
      this.#waiting.delete(flush);
      flush.resolve();
    });
  }
}
