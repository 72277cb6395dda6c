import { keepProcessAlive } from "../time/keep-process-alive.ts";
import { yieldToEventLoop } from "../time/yield-to-event-loop.ts";

type Task = () => Promise<void>;

/** How many lanes run side by side. */
const MAX_RUNNING = 50;

/** How many tasks begin before everything else that is due gets its turn. */
const SLICE = 4;

/** Runs tasks one after the other in each lane, and the lanes side by side, so many at a time. */
export class Lanes {
  /** The tasks that have not begun, of every lane that runs or waits. */
  readonly #lanes = new Map<string, Task[]>();
  /** The lanes whose next task may begin. */
  readonly #ready = new Set<string>();
  #running = 0;
  #begun = 0;
  #beginning = false;
  #waiting: (() => void)[] = [];

  /** Runs a task after those that are in the lane already. */
  add(lane: string, task: Task): void {
    const tasks = this.#lanes.get(lane);
    if (tasks) {
      tasks.push(task);
      return;
    }
    this.#lanes.set(lane, [task]);
    this.#ready.add(lane);
    void this.#begin();
  }

  /** Waits until every lane is empty. */
  async idle(): Promise<void> {
    if (this.#lanes.size === 0) return;
    const letGo = keepProcessAlive();
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    letGo();
  }

  /** Begins what may begin, in slices. Nothing begins before whoever added it has gone on. */
  async #begin(): Promise<void> {
    if (this.#beginning) return;
    this.#beginning = true;
    await undefined;
    for (const lane of this.#ready) {
      if (this.#running >= MAX_RUNNING) break;
      this.#ready.delete(lane);
      void this.#run(lane, this.#lanes.get(lane) as Task[]);
      this.#begun += 1;
      if (this.#begun % SLICE === 0) await yieldToEventLoop();
    }
    this.#beginning = false;
  }

  async #run(lane: string, tasks: Task[]): Promise<void> {
    this.#running += 1;
    try {
      await tasks.shift()?.();
    } finally {
      this.#running -= 1;
      if (tasks.length > 0) this.#ready.add(lane);
      else this.#end(lane);
      void this.#begin();
    }
  }

  #end(lane: string): void {
    this.#lanes.delete(lane);
    if (this.#lanes.size > 0) return;
    this.#begun = 0;
    for (const wake of this.#waiting.splice(0)) wake();
  }
}
