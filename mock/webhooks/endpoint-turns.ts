import { keepProcessAlive } from "../clock/timers.ts";
import { reportFailure } from "../http/messages.ts";

/** Runs the tasks of each endpoint one after another, and those of different endpoints at the same time. */
export class EndpointTurns {
  /** The last task of each endpoint with tasks that have not finished. */
  readonly #last = new Map<string, Promise<void>>();
  add(endpointId: string, task: () => Promise<void>): void {
    // The first task starts within this call, so that tests with fake timers need not wait longer for it.
    const earlier = this.#last.get(endpointId);
    const last = (earlier ? earlier.then(task) : task())
      .catch((error: unknown) => reportFailure("to process a webhook delivery.", error))
      .then(() => {
        if (this.#last.get(endpointId) === last) this.#last.delete(endpointId);
      });
    this.#last.set(endpointId, last);
  }

  /** Waits until no task is left. */
  async idle(): Promise<void> {
    const letProcessEnd = keepProcessAlive();
    while (this.#last.size > 0) await Promise.all(this.#last.values());
    letProcessEnd();
  }
}
