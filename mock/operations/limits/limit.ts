import type { Assumptions } from "../../assumptions/assumptions.ts";
import type { Problem } from "../../engine/refusals.ts";
import type { Credential } from "../../state/records.ts";
import type { State } from "../../state/state.ts";
import type { ProblemList } from "../../validation/problem-list.ts";

/** What a body is judged by, besides the contract. */
export interface Judgement {
  readonly state: State;
  readonly assumptions: Assumptions;
  readonly credential: Credential;
  /** Milliseconds since 1970. */
  readonly receivedAt: number;
}

/** A place in a request. */
export type Loc = readonly (string | number)[];

/**
 * Adds what is wrong with a body beyond its shape. The body may also be of the wrong shape, which is reported elsewhere: a
 * limit looks only at what it can, so that one answer names everything that is wrong.
 */
export type Limit = (body: unknown, judgement: Judgement, problems: ProblemList) => void;

/** The fields of a value; none when it has none. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Reports a place that holds nothing, where something must be (G-EMPTY). */
export function addEmptyProblem(loc: Loc, { assumptions }: Judgement, problems: ProblemList): void {
  if (assumptions.emptyBodies === "reject") problems.add({ loc, msg: "Nothing was given", type: "value_error" });
}

/** What is wrong with a string that has too few or too many characters, but for its place. */
export function lengthProblem(text: unknown, min: number, max: number): Omit<Problem, "loc"> | undefined {
  if (typeof text !== "string" || (text.length >= 2 * min && text.length <= max)) return undefined;
  const length = charactersOf(text, max);
  if (length < min) {
    const msg = `String should have at least ${min} ${min === 1 ? "character" : "characters"}`;
    return { msg, type: "string_too_short", input: text, ctx: { min_length: min } };
  }
  if (length <= max) return undefined;
  const msg = `String should have at most ${max} characters`;
  return { msg, type: "string_too_long", input: text, ctx: { max_length: max } };
}

/** Counts characters, of which a surrogate pair is one, no further than a limit needs. */
function charactersOf(text: string, max: number): number {
  if (text.length > 2 * max) return text.length;
  let count = 0;
  for (const _character of text) count += 1;
  return count;
}
