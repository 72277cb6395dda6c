import { NotObservable } from "./report.ts";
import type { ServiceResponse } from "./service-response.ts";

/** How to find out whether a number is accepted. */
interface Probe {
  readonly send: (value: number) => Promise<ServiceResponse>;
  /** Returns whether a response accepts the number; undefined if the request was too large to tell. */
  readonly judge: (response: ServiceResponse) => boolean | undefined;
  /** Numbers to try until one is accepted. */
  readonly usual?: readonly number[];
}

/** Finds limits of a number, such as a string's length: with the limit that a rejection names, otherwise by bisection. */
export class Search {
  readonly #probe: Probe;
  readonly #known = new Map<number, boolean | undefined>();
  /** The number that the last rejection names, and the numbers beside it. */
  #hints: readonly number[] = [];

  constructor(probe: Probe) {
    this.#probe = probe;
  }

  /** Returns a number that is accepted. */
  async any(): Promise<number> {
    const { usual = [20, 1, 8, 64, 256, 1_000, 0] } = this.#probe;
    for (const value of usual)
      for (const each of [value, ...this.#hints]) if (each >= 0 && (await this.#accepts(each))) return each;
    throw new NotObservable(`none of ${usual.join(", ")} is accepted`);
  }

  /** Returns the smallest number that is accepted. */
  async smallest(): Promise<number> {
    const accepted = await this.any();
    return (await this.#accepts(0)) ? 0 : this.#between(accepted, 0);
  }

  /** Returns the largest number that is accepted, and whether `most`, the largest that was tried, is. */
  async largest(most: number): Promise<readonly [value: number, isMost: boolean]> {
    for (let inside = await this.any(); inside < most; ) {
      const next = Math.min(most, 4 * inside + 1);
      if (!(await this.#accepts(next))) return [await this.#between(inside, next), false];
      inside = next;
    }
    return [most, true];
  }

  /** Returns the accepted number next to the rejected ones. */
  async #between(accepted: number, rejected: number): Promise<number> {
    let [inside, outside] = [accepted, rejected];
    while (Math.abs(outside - inside) > 1) {
      const isBetween = (value: number) => (value - inside) * (outside - value) > 0;
      const middle = this.#hints.find(isBetween) ?? Math.floor((inside + outside) / 2);
      if (await this.#accepts(middle)) inside = middle;
      else outside = middle;
    }
    if (this.#known.get(outside) === undefined) throw new NotObservable(`more than ${inside} makes the body too large`);
    return inside;
  }

  async #accepts(value: number): Promise<boolean> {
    if (!this.#known.has(value)) {
      const response = await this.#probe.send(value);
      this.#known.set(value, this.#probe.judge(response));
      const limit = Object.values(response.problems[0]?.ctx ?? {}).find(Number.isInteger) as number | undefined;
      // The next request may contain a text of this length, so a huge limit is not tried.
      if (limit !== undefined && limit <= 100_000) this.#hints = [limit, limit + 1, limit - 1];
    }
    return this.#known.get(value) ?? false;
  }
}
