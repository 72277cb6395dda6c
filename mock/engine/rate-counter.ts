import type { Assumptions } from "../assumptions/assumptions.ts";
import type { Exchange, Reply } from "./exchange.ts";

/** Counts the requests of each credential in windows of fixed length (G-RATE). */
export class RateCounter {
  readonly #windows = new Map<string, { readonly start: number; count: number }>();

  /** Refuses a request over the limit with 429, an empty body and `Retry-After` in seconds. */
  check({ request, receivedAt }: Exchange, { rateLimit }: Assumptions): Reply | undefined {
    if (rateLimit === undefined) return undefined;
    const length = rateLimit.windowSeconds * 1000;
    const window = this.#window(request.headers.get("authorization") ?? "", receivedAt, length);
    window.count += 1;
    if (window.count <= rateLimit.requests) return undefined;
    const seconds = Math.max(1, Math.ceil((window.start + length - receivedAt) / 1000));
    return { status: 429, headers: { "Retry-After": String(seconds) } };
  }

  clear(): void {
    this.#windows.clear();
  }

  #window(key: string, now: number, length: number): { readonly start: number; count: number } {
    let window = this.#windows.get(key);
    if (!window || now >= window.start + length || now < window.start) {
      window = { start: now, count: 0 };
      this.#windows.set(key, window);
    }
    return window;
  }
}
