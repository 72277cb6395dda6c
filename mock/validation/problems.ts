import type { Assumptions } from "../assumptions/assumptions.ts";
import { isObject } from "../options/options.ts";

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

/** The maximum number of problems in a 422 (G-422-MAX). */
const MAX_PROBLEMS = 100;

/** Collects the problems of one request, at most one for each place. */
export class ProblemList {
  readonly #listed: Problem[] = [];
  readonly #places = new Set<string>();

  get isEmpty(): boolean {
    return this.#listed.length === 0;
  }

  /** Whether checking can stop. */
  get isFull(): boolean {
    return this.#listed.length >= MAX_PROBLEMS;
  }

  /** Adds a problem, unless its place already has one: the first problem of a place is the one reported. */
  add(problem: Problem): void {
    if (this.isFull) return;
    const place = JSON.stringify(problem.loc);
    if (this.#places.has(place)) return;
    this.#places.add(place);
    this.#listed.push(problem);
  }

  addAll(problems: readonly Problem[]): void {
    for (const problem of problems) this.add(problem);
  }

  /** Returns the problems to report. The last one says whether checking stopped. */
  list(): readonly Problem[] {
    const last = this.#listed.at(-1);
    if (last === undefined || !this.isFull) return this.#listed;
    return [
      ...this.#listed.slice(0, -1),
      { ...last, msg: `${last.msg} (there may be more; the rest was not checked)` },
    ];
  }
}

/** Returns the fields of an object, and no fields for any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** Reports a list or an object that is empty, unless the assumptions accept it (G-EMPTY). */
export function addEmptyProblem(loc: Loc, { emptyBodies }: Assumptions, problems: ProblemList): void {
  if (emptyBodies === "reject") problems.add({ loc, msg: "Input should not be empty", type: "value_error" });
}

/** Returns the problem with a list or an object that has too many items. */
export function tooManyProblem(loc: Loc, what: "List" | "Dictionary", max: number, actual: number): Problem {
  const msg = `${what} should have at most ${max} items after validation, not ${actual}`;
  return { loc, msg, type: "too_long", ctx: { max_length: max, actual_length: actual } };
}

/** What has a length: the beginning of the type, the subject, and the unit. */
const SIZED: Readonly<Record<string, readonly [string, string, string]>> = {
  string: ["string_too", "String", "character"],
  array: ["too", "List", "item"],
};

const COMPARISONS = { ge: "at least", gt: "greater than", le: "at most", lt: "less than" } as const;

/** Describes a number, or the length of a string or a list, that is out of range. */
export function describeLimit(
  bound: "least" | "most",
  limit: number,
  { origin, inclusive }: { readonly origin: string; readonly inclusive?: boolean | undefined },
): ProblemText {
  const isMin = bound === "least";
  const sized = SIZED[origin];
  if (!sized) {
    const name = `${isMin ? "g" : "l"}${inclusive === false ? "t" : "e"}` as const;
    return { type: "value_error", msg: `Input should be ${COMPARISONS[name]} ${limit}`, ctx: { [name]: limit } };
  }
  const [type, subject, unit] = sized;
  return {
    type: `${type}_${isMin ? "short" : "long"}`,
    msg: `${subject} should have at ${bound} ${limit} ${unit}${limit === 1 ? "" : "s"}`,
    ctx: { [isMin ? "min_length" : "max_length"]: limit },
  };
}

/** Returns the problem with a string whose length in characters is out of range; undefined when there is none. */
export function lengthProblem(input: unknown, min: number, limit: number | null): Omit<Problem, "loc"> | undefined {
  const max = limit ?? Number.POSITIVE_INFINITY;
  if (typeof input !== "string" || (Math.ceil(input.length / 2) >= min && input.length <= max)) return undefined;
  // A surrogate pair is one character.
  const length = input.length > 2 * max ? input.length : [...input].length;
  if (length < min) return { ...describeLimit("least", min, { origin: "string" }), input };
  return length > max ? { ...describeLimit("most", max, { origin: "string" }), input } : undefined;
}

type Path = (string | number)[];

/** Reports every field that the contract does not define (G-FIELDS). */
export function addExtraProblems(sent: unknown, kept: unknown, problems: ProblemList): void {
  const extra = { msg: "Extra inputs are not permitted", type: "extra_forbidden" };
  walkUnknown(sent, kept, ["body"], (path, input) => {
    problems.add({ loc: [...path], ...extra, input });
    return problems.isFull;
  });
}

/** The maximum number of ignored fields that are listed for a request, and the length of a name that is listed. */
const MAX_IGNORED = 20;
const MAX_NAME = 200;

/**
 * Lists the fields of a valid request that its contract does not define, once for all items of a list:
 * `body.events[].external_Id`.
 *
 * @param kept What the contract keeps of the request.
 * @param root The part of the request: `query` or `body`.
 */
export function addIgnored(sent: unknown, kept: unknown, root: string, ignored: Set<string>): void {
  walkUnknown(sent, kept, [], (path) => {
    ignored.add(path.reduce<string>((place, key) => place + segmentOf(key), root));
    return ignored.size >= MAX_IGNORED;
  });
}

function segmentOf(key: string | number): string {
  if (typeof key === "number") return "[]";
  return key.length > MAX_NAME ? ".…" : `.${key}`;
}

/** Visits the fields of a value that are missing in what is kept of it, until `visit` returns true. */
function walkUnknown(
  sent: unknown,
  kept: unknown,
  path: Path,
  visit: (path: Path, value: unknown) => boolean,
): boolean {
  if (sent === kept || typeof sent !== "object" || sent === null || typeof kept !== "object" || kept === null)
    return false;
  for (const name of Array.isArray(sent) ? sent.keys() : Object.keys(sent)) {
    const value = (sent as Record<string, unknown>)[name];
    path.push(name);
    const isDone = Object.hasOwn(kept, name)
      ? walkUnknown(value, (kept as Record<string, unknown>)[name], path, visit)
      : visit(path, value);
    path.pop();
    if (isDone) return true;
  }
  return false;
}
