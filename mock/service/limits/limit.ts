import type { Assumptions } from "../../assumptions.ts";
import type { Credential } from "../../state/records.ts";
import type { State } from "../../state/state.ts";
import type { Problem } from "../refusals.ts";

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
 * What is wrong with a body beyond its shape. The body may also be of the wrong shape, which is reported elsewhere: a
 * limit looks only at what it can, so that one answer names everything that is wrong.
 */
export type Limit = (body: unknown, judgement: Judgement) => Problem[];

/** The fields of a value; none when it has none. */
export function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : {};
}

/** Reports a place that holds nothing, where something is to be there (G-EMPTY). */
export function emptyProblems(loc: Loc, { assumptions }: Judgement): Problem[] {
  if (assumptions.emptyBodies === "accept") return [];
  return [{ loc, msg: "Nothing was given", type: "value_error" }];
}

/** Reports a text with too few or too many characters. */
export function lengthProblems(text: unknown, min: number, max: number, loc: Loc): Problem[] {
  if (typeof text !== "string") return [];
  // A surrogate pair is one character, so only a text of more code units than the limit has to be counted.
  const length = text.length > max ? [...text].length : text.length;
  if (length < min) {
    const msg = `String should have at least ${min} ${min === 1 ? "character" : "characters"}`;
    return [{ loc, msg, type: "string_too_short", input: text, ctx: { min_length: min } }];
  }
  if (length <= max) return [];
  const msg = `String should have at most ${max} characters`;
  return [{ loc, msg, type: "string_too_long", input: text, ctx: { max_length: max } }];
}
