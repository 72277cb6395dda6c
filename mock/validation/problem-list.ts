import type { Problem } from "./problem.ts";

/** The number of problems that are counted for each listed one. Checking stops after that, to save time. */
const COUNTED_PER_LISTED = 10;

/** The maximum total length of all places: the name of a field in a body can be megabytes long. */
const MAX_PLACE_CHARACTERS = 1024 * 1024;

/** Collects the problems of one request, at most one for each place, and at most as many as the policy allows (G-422-MAX). */
export class ProblemList {
  readonly #max: number;
  readonly #listed: Problem[] = [];
  readonly #places = new Set<string>();
  #characters = 0;

  /** @param max The maximum number of listed problems. */
  constructor(max: number) {
    this.#max = max;
  }

  get isEmpty(): boolean {
    return this.#listed.length === 0;
  }

  /** Whether checking can stop. */
  get isFull(): boolean {
    return this.#places.size >= this.#max * COUNTED_PER_LISTED || this.#characters > MAX_PLACE_CHARACTERS;
  }

  /** Adds a problem, unless its place already has one: the first problem of a place is the one reported. */
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

  /** Returns the problems to report. The last one says how many are not listed, or that the rest was not checked. */
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
