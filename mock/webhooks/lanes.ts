import { stayAlive } from "./timers.ts";

/** Runs tasks one after the other in each lane, and the lanes side by side. */
export class Lanes {
  readonly #last = new Map<string, Promise<void>>();

  /** Runs a task after those that are in the lane already. */
  add(lane: string, task: () => Promise<void>): void {
    const last = (this.#last.get(lane) ?? Promise.resolve()).then(task).finally(() => {
      if (this.#last.get(lane) === last) this.#last.delete(lane);
    });
    this.#last.set(lane, last);
  }

  /** Waits until every lane is empty. */
  async idle(): Promise<void> {
    if (this.#last.size === 0) return;
    const letGo = stayAlive();
    try {
      while (this.#last.size > 0) await Promise.all(this.#last.values());
    } finally {
      letGo();
    }
  }
}
