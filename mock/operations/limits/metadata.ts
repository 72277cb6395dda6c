import type { Assumptions } from "../../assumptions/assumptions.ts";
import type { Problem } from "../../engine/refusals.ts";
import type { ProblemList } from "../../validation/problem-list.ts";
import { fieldsOf, type Loc, lengthProblem } from "./limit.ts";

type MetadataLimits = Assumptions["metadata"];

/** Reports what the metadata of an event may not hold (G-EVT-META). */
export function addMetadataProblems(metadata: unknown, loc: Loc, limits: MetadataLimits, problems: ProblemList): void {
  if (metadata === undefined || isUnlimited(limits)) return;
  const fields = fieldsOf(metadata);
  const keys = Object.keys(fields);
  const { maxPairs } = limits;
  if (keys.length > maxPairs) problems.add(tooMany(loc, "Dictionary", maxPairs, keys.length));
  for (const key of keys.length > maxPairs ? [] : keys) {
    if (problems.isFull) return;
    const problem = pairProblem(key, fields[key], limits);
    if (problem) problems.add({ loc: [...loc, key], ...problem });
  }
}

function isUnlimited(limits: MetadataLimits): boolean {
  const { values, maxPairs, minKeyLength, maxKeyLength, minValueLength, maxValueLength } = limits;
  const isFree = values === "any" && minKeyLength === 0 && minValueLength === 0;
  return isFree && Math.min(maxPairs, maxKeyLength, maxValueLength) === Number.POSITIVE_INFINITY;
}

type PlacelessProblem = Omit<Problem, "loc">;

function pairProblem(key: string, value: unknown, limits: MetadataLimits): PlacelessProblem | undefined {
  return (
    lengthProblem(key, limits.minKeyLength, limits.maxKeyLength) ??
    kindProblem(key, value, limits) ??
    lengthProblem(value, limits.minValueLength, limits.maxValueLength)
  );
}

function kindProblem(
  key: string,
  value: unknown,
  { values, objectKeys }: MetadataLimits,
): PlacelessProblem | undefined {
  if (values === "any" || ["string", "number", "boolean"].includes(typeof value)) return undefined;
  const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
  if (isObject && objectKeys.includes(key)) return undefined;
  return { msg: "Input should be a string, a number or a boolean", type: "string_type", input: value };
}

/** Reports a list or an object with too many items. */
export function tooMany(loc: Loc, what: string, max: number, actual: number): Problem {
  const msg = `${what} should have at most ${max} items after validation, not ${actual}`;
  return { loc, msg, type: "too_long", ctx: { max_length: max, actual_length: actual } };
}
