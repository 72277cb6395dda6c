import type { Problem } from "../engine/refusals.ts";

/** How many problems are counted for each one that is listed. Checking on would cost time and tell nobody more. */
const COUNTED_PER_LISTED = 10;

/** How many characters the places of all problems may have: the name of a field in a body can be megabytes long. */
const MAX_PLACE_CHARACTERS = 1024 * 1024;

/** Collects what is wrong with a request, each place once and only so many (G-422-MAX). */
export class ProblemList {
  readonly #max: number;
  readonly #listed: Problem[] = [];
  readonly #places = new Set<string>();
  #characters = 0;

  /** @param max How many problems are listed. */
  constructor(max: number) {
    this.#max = max;
  }

  get isEmpty(): boolean {
    return this.#listed.length === 0;
  }

  /** Whether nothing more needs to be checked. */
  get isFull(): boolean {
    return this.#places.size >= this.#max * COUNTED_PER_LISTED || this.#characters > MAX_PLACE_CHARACTERS;
  }

  /** Adds a problem, unless its place has one already: what the contract rejects need not break a limit too. */
  add(problem: Problem): void {
    if (this.isFull) return;
    const place = JSON.stringify(problem.loc);
    if (this.#places.has(place)) return;
    this.#places.add(place);
    this.#characters += place.length;
    if (this.#listed.length < this.#max) this.#listed.push(problem);
  }

  addAll(problems: readonly Problem[]): void {
    for (const problem of problems) this.add(problem);
  }

  /** The problems to report. The last one says how many are left out, or that the rest was not checked. */
  list(): readonly Problem[] {
    const more = this.#places.size - this.#listed.length;
    const last = this.#listed.at(-1);
    if (last === undefined || (more === 0 && !this.isFull)) return this.#listed;
    return [...this.#listed.slice(0, -1), withMore(last, more, this.isFull)];
  }
}

function withMore({ msg, ctx, ...problem }: Problem, more: number, isAtLeast: boolean): Problem {
  const count = `${more} more ${more === 1 ? "problem is" : "problems are"} not listed`;
  const note = isAtLeast ? `at least ${count}; the rest was not checked` : count;
  const counted = isAtLeast ? { more_problems_at_least: more } : { more_problems: more };
  return { ...problem, msg: `${msg} (${note})`, ctx: { ...ctx, ...counted } };
}
