import { schedule } from "../time/schedule.ts";

/** Timers by name, one for each. */
export class Timers {
  readonly #pending = new Map<string, () => void>();

  /** Calls a function later, under a name that no other timer has at the time. */
  set(name: string, milliseconds: number, call: () => void): void {
    const callOff = schedule(milliseconds, () => {
      this.#pending.delete(name);
      call();
    });
    this.#pending.set(name, callOff);
  }

  /** Calls off the timer of that name, if there is one. */
  clear(name: string): void {
    this.#pending.get(name)?.();
    this.#pending.delete(name);
  }

  /** Calls off every timer. */
  clearAll(): void {
    for (const callOff of this.#pending.values()) callOff();
    this.#pending.clear();
  }
}
