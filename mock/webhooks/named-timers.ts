import { schedule } from "../time/schedule.ts";

/** Timers by name, at most one for each name. */
export class NamedTimers {
  readonly #pending = new Map<string, () => void>();

  /** Calls a function after a delay, under a name that no pending timer has. */
  set(name: string, milliseconds: number, call: () => void): void {
    const cancel = schedule(milliseconds, () => {
      this.#pending.delete(name);
      call();
    });
    this.#pending.set(name, cancel);
  }

  /** Cancels the timer of a name, if there is one. */
  clear(name: string): void {
    this.#pending.get(name)?.();
    this.#pending.delete(name);
  }

  /** Cancels every timer. */
  clearAll(): void {
    for (const cancel of this.#pending.values()) cancel();
    this.#pending.clear();
  }
}
