import type { RateLimit } from "../assumptions/assumptions.ts";

/** Counts the requests of each issued token in time windows of fixed length, and all others together (G-RATE). */
export class RateCounter {
  readonly #windows = new Map<string, { readonly start: number; count: number }>();

  /**
   * Counts a request.
   *
   * @param token The token of a valid credential; empty without one.
   * @param now Milliseconds since 1970.
   * @returns The seconds until the next window when the request exceeds the limit; undefined otherwise.
   */
  count(token: string, now: number, { requests, windowSeconds }: RateLimit): number | undefined {
    const length = windowSeconds * 1000;
    const last = this.#windows.get(token);
    const window = last && now >= last.start && now < last.start + length ? last : { start: now, count: 0 };
    this.#windows.set(token, window);
    window.count += 1;
    if (window.count <= requests) return undefined;
    return Math.max(1, Math.ceil((window.start + length - now) / 1000));
  }

  clear(): void {
    this.#windows.clear();
  }
}
