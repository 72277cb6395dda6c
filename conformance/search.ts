import type { Answer } from "./connection.ts";
import { NotObservable } from "./outcome.ts";
import { problemsOf, summaryOf } from "./service.ts";

/** Sends a request for a number, such as a string's length, and returns the response. */
type Probe = (value: number) => Promise<Answer>;

/** The answer to a probe: whether it is accepted, and the limit that a rejection names. */
interface Verdict {
  readonly accepted: boolean;
  readonly hint?: number;
}

/** A response that says that the whole body is too large. */
class BodyTooLarge extends NotObservable {}

/** Finds limits: a few requests when a rejection names the limit, otherwise a bisection. */
export class Search {
  readonly #probe: Probe;
  readonly #known = new Map<number, Verdict>();
  /** The limits that rejections named. */
  readonly #hints = new Set<number>();

  constructor(probe: Probe) {
    this.#probe = probe;
  }

  /** Returns a number that is accepted. */
  async any(candidates: readonly number[]): Promise<number> {
    for (const value of candidates) {
      if (await this.accepts(value)) return value;
      for (const hint of this.#hints) if (await this.accepts(hint)) return hint;
    }
    throw new NotObservable(`none of ${candidates.join(", ")} is accepted`);
  }

  /** Returns the smallest number that is accepted, if `accepted` is. */
  async smallest(accepted: number): Promise<number> {
    if (await this.accepts(0)) return 0;
    return this.#between(accepted, 0);
  }

  /**
   * Returns the largest number that is accepted, if `accepted` is; undefined if the first of `bounds` is accepted, too.
   *
   * @param bounds Numbers to try, the largest first: the next one if the body is too large.
   */
  async largest(accepted: number, bounds: readonly number[]): Promise<number | undefined> {
    for (const [index, bound] of bounds.entries()) {
      try {
        if (bound <= accepted) break;
        if (!(await this.accepts(bound))) return await this.#between(accepted, bound);
        if (index === 0) return undefined;
        throw new BodyTooLarge(`${bound} is accepted, and ${bounds[index - 1]} makes the body too large`);
      } catch (error) {
        if (!(error instanceof BodyTooLarge) || error.message.includes("is accepted")) throw error;
      }
    }
    throw new BodyTooLarge(`more than ${accepted} makes the body too large`);
  }

  /** Returns whether a number is accepted. */
  async accepts(value: number): Promise<boolean> {
    const known = this.#known.get(value) ?? verdictOf(await this.#probe(value));
    this.#known.set(value, known);
    if (known.hint !== undefined) this.#hints.add(known.hint);
    return known.accepted;
  }

  /** Returns the accepted number next to the rejected ones. */
  async #between(accepted: number, rejected: number): Promise<number> {
    let [inside, outside] = [accepted, rejected];
    const step = Math.sign(rejected - accepted);
    const isBetween = (value: number) => (value - inside) * step >= 0 && (outside - value) * step > 0;
    const hint = [...this.#hints].find(isBetween);
    if (hint !== undefined && (await this.accepts(hint))) {
      inside = hint;
      if (!(await this.accepts(hint + step))) return hint;
    }
    while (Math.abs(outside - inside) > 1) {
      const middle = Math.floor((inside + outside) / 2);
      if (await this.accepts(middle)) inside = middle;
      else outside = middle;
    }
    return inside;
  }
}

function verdictOf(answer: Answer): Verdict {
  const { status } = answer;
  if (status < 300) return { accepted: true };
  if (status === 413) throw new BodyTooLarge("the body is too large");
  const [problem] = problemsOf(answer);
  if (!problem) throw new NotObservable(`a probe: ${summaryOf(answer)}`);
  const hint = problem.ctx?.["max_length"] ?? problem.ctx?.["min_length"];
  return { accepted: false, ...(typeof hint === "number" && { hint }) };
}
