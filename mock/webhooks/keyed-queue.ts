import { ITEMS_AT_ONCE, inSlices, type Work } from "../time/in-slices.ts";
import { keepProcessAlive } from "../time/keep-process-alive.ts";
import { yieldToEventLoop } from "../time/yield-to-event-loop.ts";

type Task = () => Promise<void>;

/** Maximum number of keys whose tasks run at the same time. */
const MAX_RUNNING = 50;

/** Number of tasks that start before the queue yields to the event loop. */
const SLICE = 4;

/** Runs the tasks of each key one after another, and up to fifty keys at the same time. */
export class KeyedQueue {
  /** The tasks that were added since the last start, with their keys. */
  #added: (readonly [key: string, task: Task])[] = [];
  /** The tasks that have not started, for every key that runs or waits. */
  readonly #tasks = new Map<string, Task[]>();
  /** The keys whose next task may start. */
  readonly #ready = new Set<string>();
  #running = 0;
  #started = 0;
  #isStarting = false;
  #waiting: (() => void)[] = [];
  readonly #onError: (error: unknown) => void;

  /** @param onError Receives what a task throws. The tasks after it run all the same. */
  constructor(onError: (error: unknown) => void) {
    this.#onError = onError;
  }

  /** Runs a task after the earlier tasks of its key. */
  add(key: string, task: Task): void {
    this.#added.push([key, task]);
    if (!this.#isStarting) void this.#start();
  }

  /** Waits until no task is left. */
  async idle(): Promise<void> {
    if (this.#isIdle) return;
    const letProcessEnd = keepProcessAlive();
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    letProcessEnd();
  }

  get #isIdle(): boolean {
    return this.#tasks.size === 0 && this.#added.length === 0;
  }

  /** Starts the tasks that may start, in slices, and not before the caller of `add` continues. */
  async #start(): Promise<void> {
    if (this.#isStarting) return;
    this.#isStarting = true;
    await undefined;
    do {
      await inSlices(this.#takeAdded());
      await this.#startReady();
    } while (this.#added.length + this.#ready.size > 0 && this.#running < MAX_RUNNING);
    this.#isStarting = false;
  }

  /** Sorts the added tasks by their keys. */
  *#takeAdded(): Work<void> {
    const added = this.#added;
    this.#added = [];
    for (const [index, [key, task]] of added.entries()) {
      if (index > 0 && index % ITEMS_AT_ONCE === 0) yield;
      const tasks = this.#tasks.get(key);
      if (tasks) tasks.push(task);
      else {
        this.#tasks.set(key, [task]);
        this.#ready.add(key);
      }
    }
  }

  async #startReady(): Promise<void> {
    for (const key of this.#ready) {
      if (this.#running >= MAX_RUNNING) break;
      this.#ready.delete(key);
      void this.#run(key, this.#tasks.get(key) as Task[]);
      this.#started += 1;
      if (this.#started % SLICE === 0) await yieldToEventLoop();
    }
  }

  async #run(key: string, tasks: Task[]): Promise<void> {
    this.#running += 1;
    try {
      await tasks.shift()?.();
    } catch (error) {
      this.#onError(error);
    } finally {
      this.#running -= 1;
      if (tasks.length > 0) this.#ready.add(key);
      else this.#finish(key);
      void this.#start();
    }
  }

  #finish(key: string): void {
    this.#tasks.delete(key);
    if (!this.#isIdle) return;
    this.#started = 0;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
