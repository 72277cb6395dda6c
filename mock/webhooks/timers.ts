import { later } from "../time/later.ts";

/**
 * Keeps the process alive while somebody waits for what only timers will end. It sets no timer itself, which would get in
 * the way of a test's fake ones: a port that listens does the same.
 *
 * @returns A function that lets the process go.
 */
export function stayAlive(): () => void {
  const { port1 } = new MessageChannel();
  port1.onmessage = () => {};
  return () => port1.close();
}

/** Timers by name, one for each. */
export class Timers {
  readonly #pending = new Map<string, () => void>();

  /** Calls a function later, under a name that no other timer has at the time. */
  set(name: string, milliseconds: number, call: () => void): void {
    const callOff = later(milliseconds, () => {
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
