import type { Assumptions } from "../assumptions/assumptions.ts";

/** The place of a value in a request, for example `["body", "events", 0, "name"]`. */
export type Loc = readonly (string | number)[];

/** One problem in a request, as a 422 reports it (specification, section 2.5). */
export interface Problem {
  readonly loc: Loc;
  readonly msg: string;
  readonly type: string;
  readonly input?: unknown;
  readonly ctx?: Readonly<Record<string, unknown>>;
}

/** A problem without its place and value. */
export type ProblemText = Pick<Problem, "msg" | "type" | "ctx">;

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

/** Returns the fields of an object, and no fields for any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Reports a list or an object that is empty, unless the policy accepts it (G-EMPTY). */
export function addEmptyProblem(loc: Loc, { emptyBodies }: Assumptions, problems: ProblemList): void {
  if (emptyBodies === "reject") problems.add({ loc, msg: "Input should not be empty", type: "value_error" });
}

/** Returns the problem with a string whose length in characters is out of range; undefined when there is none. */
export function lengthProblem(text: unknown, min: number, limit: number | null): Omit<Problem, "loc"> | undefined {
  const max = limit ?? Number.POSITIVE_INFINITY;
  if (typeof text !== "string" || (Math.ceil(text.length / 2) >= min && text.length <= max)) return undefined;
  const length = countCharacters(text, max);
  if (length < min) {
    const msg = `String should have at least ${min} ${min === 1 ? "character" : "characters"}`;
    return { msg, type: "string_too_short", input: text, ctx: { min_length: min } };
  }
  if (length <= max) return undefined;
  const msg = `String should have at most ${max} characters`;
  return { msg, type: "string_too_long", input: text, ctx: { max_length: max } };
}

/** Counts characters, a surrogate pair as one. A text that is certainly longer than `max` is not counted. */
function countCharacters(text: string, max: number): number {
  if (text.length > 2 * max) return text.length;
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}

/** Returns the problem with a list or an object that has too many items. */
export function tooManyProblem(loc: Loc, what: "List" | "Dictionary", max: number, actual: number): Problem {
  const msg = `${what} should have at most ${max} items after validation, not ${actual}`;
  return { loc, msg, type: "too_long", ctx: { max_length: max, actual_length: actual } };
}

/** Matches the name itself, or an escape of one of its characters. */
const MAY_HOLD_PROTO = /__proto__|\\u00[5-7]/i;

type Path = (string | number)[];

/** Reports every field named `__proto__` (G-PROTO). */
export function addProtoProblems(sent: unknown, text: string, problems: ProblemList): void {
  if (!MAY_HOLD_PROTO.test(text)) return;
  const msg = "The name __proto__ is not allowed";
  walk(sent, ["body"], problems, (path) => {
    if (path.at(-1) === "__proto__") problems.add({ loc: [...path], msg, type: "value_error" });
  });
}

/** Reports every field that the contract does not define (G-FIELDS). */
export function addExtraProblems(
  sent: unknown,
  kept: unknown,
  { unknownFields }: Assumptions,
  problems: ProblemList,
): void {
  if (unknownFields === "reject") compare(sent, kept, ["body"], problems);
}

/** The maximum number of ignored fields that are listed for a request. */
const MAX_IGNORED = 20;

/**
 * Lists the fields of a valid request that its contract does not define, once for all items of a list:
 * `body.events[].external_Id`.
 *
 * @param kept What the contract keeps of the request.
 */
export function addIgnored(sent: unknown, kept: unknown, path: string, ignored: Set<string>): void {
  if (sent === kept || typeof sent !== "object" || sent === null || typeof kept !== "object" || kept === null) return;
  if (Array.isArray(sent)) {
    for (let i = 0; i < sent.length && ignored.size < MAX_IGNORED; i++) {
      addIgnored(sent[i], (kept as readonly unknown[])[i], `${path}[]`, ignored);
    }
    return;
  }
  for (const name in sent) {
    if (ignored.size >= MAX_IGNORED) return;
    const [field, place] = [(sent as Record<string, unknown>)[name], `${path}.${name}`];
    if (Object.hasOwn(kept, name)) addIgnored(field, (kept as Record<string, unknown>)[name], place, ignored);
    else ignored.add(place);
  }
}

/** Visits every field of a value until the list of problems is full. */
function walk(value: unknown, path: Path, problems: ProblemList, visit: (path: Path) => void): void {
  if (typeof value !== "object" || value === null) return;
  const isList = Array.isArray(value);
  for (const name of Object.keys(value)) {
    if (problems.isFull) return;
    path.push(isList ? Number(name) : name);
    if (!isList) visit(path);
    walk((value as Record<string, unknown>)[name], path, problems, visit);
    path.pop();
  }
}

function compare(sent: unknown, kept: unknown, path: Path, problems: ProblemList): void {
  if (sent === kept || typeof sent !== "object" || sent === null || typeof kept !== "object" || kept === null) return;
  const isList = Array.isArray(sent);
  for (const name of Object.keys(sent)) {
    if (problems.isFull) return;
    const input = (sent as Record<string, unknown>)[name];
    path.push(isList ? Number(name) : name);
    if (Object.hasOwn(kept, name)) compare(input, (kept as Record<string, unknown>)[name], path, problems);
    else problems.add({ loc: [...path], msg: "Extra inputs are not permitted", type: "extra_forbidden", input });
    path.pop();
  }
}
