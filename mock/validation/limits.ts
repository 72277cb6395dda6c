import type { BodyPolicy } from "./body-policy.ts";
import type { Loc, Problem } from "./problem.ts";
import type { ProblemList } from "./problem-list.ts";

/** Returns the fields of an object, and no fields for any other value. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Reports a list or an object that is empty, unless the policy accepts it (G-EMPTY). */
export function addEmptyProblem(loc: Loc, { emptyBodies }: BodyPolicy, problems: ProblemList): void {
  if (emptyBodies === "reject") problems.add({ loc, msg: "Input should not be empty", type: "value_error" });
}

/** Returns the problem with a string whose length in characters is out of range; undefined when there is none. */
export function lengthProblem(text: unknown, min: number, max: number): Omit<Problem, "loc"> | undefined {
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
