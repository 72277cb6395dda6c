import { keepProcessAlive, yieldToEventLoop } from "../clock/timers.ts";
import { reportFailure } from "../http/response.ts";

/** The maximum number of endpoints that receive at the same time: more would make slow receivers exceed the timeout. */
const MAX_RUNNING = 50;

/** Runs the tasks of each endpoint one after another, and those of different endpoints at the same time. */
export class EndpointTurns {
  /** The last task of each endpoint with tasks that have not finished. */
  readonly #last = new Map<string, Promise<void>>();
  /** The number of tasks that run or wait until they may, at most one of each endpoint. */
  #started = 0;
  readonly #waiting: (() => void)[] = [];

  add(endpointId: string, task: () => Promise<void>): void {
    // The first task starts within this call, so that tests with fake timers need not wait longer for it.
    const earlier = this.#last.get(endpointId);
    const last = (earlier ? earlier.then(() => this.#run(task)) : this.#run(task)).then(() => {
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

  async #run(task: () => Promise<void>): Promise<void> {
    this.#started += 1;
    if (this.#started > MAX_RUNNING) await new Promise<void>((resolve) => this.#waiting.push(resolve));
    // The caller of `add` continues first, and everything else gets a turn between two tasks.
    await yieldToEventLoop();
    await task().catch((error) => reportFailure("to process a webhook delivery.", error));
    this.#started -= 1;
    this.#waiting.shift()?.();
  }
}
