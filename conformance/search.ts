import { NotObservable } from "./outcome.ts";
import type { ServiceResponse } from "./service-response.ts";

/** The longest text that is tried because a rejection names its length. */
const MAX_HINT = 100_000;
const USUAL = [20, 1, 8, 64, 256, 1_000, 0];

/** How to find out whether a number is accepted. */
interface Probe {
  readonly send: (value: number) => Promise<ServiceResponse>;
  /** Returns whether a response accepts the number; undefined if the request was too large to tell. */
  readonly judge: (response: ServiceResponse) => boolean | undefined;
  /** Numbers to try until one is accepted. */
  readonly usual?: readonly number[];
  /** Numbers that may be the limit. */
  readonly hints?: readonly number[];
}

/** Finds limits of a number, such as a string's length: with the limit that a rejection names, otherwise by bisection. */
export class Search {
  readonly #probe: Probe;
  readonly #known = new Map<number, boolean | undefined>();
  /** The numbers that rejections name. */
  readonly #hints: Set<number>;

  constructor(probe: Probe) {
    this.#probe = probe;
    this.#hints = new Set(probe.hints);
  }

  /** Returns a number that is accepted. */
  async any(): Promise<number> {
    const { usual = USUAL } = this.#probe;
    const hints = () => [...this.#hints].filter((hint) => hint <= MAX_HINT);
    for (const value of usual) for (const each of [value, ...hints()]) if (await this.#accepts(each)) return each;
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
      const [hint = 4 * inside + 1] = this.#hinted(1).filter((value) => value > inside);
      const next = Math.min(most, hint);
      if (!(await this.#accepts(next))) return [await this.#between(inside, next), false];
      inside = next;
    }
    return [most, true];
  }

  /** Returns the accepted number next to the rejected ones. */
  async #between(accepted: number, rejected: number): Promise<number> {
    let [inside, outside] = [accepted, rejected];
    const step = Math.sign(rejected - accepted);
    const isBetween = (value: number) => (value - inside) * step > 0 && (outside - value) * step > 0;
    while (Math.abs(outside - inside) > 1) {
      const middle = this.#hinted(step).find(isBetween) ?? Math.floor((inside + outside) / 2);
      if (await this.#accepts(middle)) inside = middle;
      else outside = middle;
    }
    if (this.#known.get(outside) === undefined) throw new NotObservable(`more than ${inside} makes the body too large`);
    return inside;
  }

  /** Returns the hints, each with the number beyond it, the smallest first. */
  #hinted(step: number): readonly number[] {
    return [...this.#hints].flatMap((each) => [each, each + step]).sort((one, other) => one - other);
  }

  async #accepts(value: number): Promise<boolean> {
    if (!this.#known.has(value)) {
      const response = await this.#probe.send(value);
      const verdict = this.#probe.judge(response);
      this.#known.set(value, verdict);
      const named = verdict
        ? ""
        : JSON.stringify((response.status === 413 ? response.body : response.problems[0]?.ctx) ?? "");
      for (const [hint] of named.matchAll(/\b\d{1,9}\b/g)) this.#hints.add(Number(hint));
    }
    return this.#known.get(value) ?? false;
  }
}
