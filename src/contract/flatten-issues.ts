// Decides which field a 422 of the mock names, and which field a ResponseMismatchError of the client names.
import type * as z from "zod/mini";
import { describeType, describeValue, formatPath } from "../errors/describe-value.ts";
import type { Mismatch } from "../errors/index.ts";

const LONGEST_LIST = 5;

/** One mismatch between a value and a schema, at the innermost known field. */
export interface FlatIssue {
  /** The path of the field, from the root of the checked value. */
  readonly path: readonly PropertyKey[];
  /** The issue of the schema. Its own `path` starts at the innermost union. */
  readonly issue: z.core.$ZodIssue;
  /** The value of the field; undefined if it is missing. */
  readonly input: unknown;
  /** Sibling fields that could replace a missing field, according to another branch of a union. */
  readonly alternatives: readonly string[];
}

/**
 * Lists the fields that do not match a schema. For a union, it lists the fields of the branch that was probably meant: the one
 * with the fewest issues; among equals, the first in the schema. Zod itself reports only the issues of one branch if that
 * is the only one whose types match.
 *
 * @param issues The issues that the schema reported.
 * @param input The checked value.
 */
export function flattenIssues(issues: readonly z.core.$ZodIssue[], input: unknown): FlatIssue[] {
  return fieldIssues(issues, []).map(({ path, issue, others }) => {
    const missing = others.filter((other) => valueAt(input, other) === undefined);
    return { path, issue, input: valueAt(input, path), alternatives: missing.map((other) => String(other.at(-1))) };
  });
}

type Path = readonly PropertyKey[];

interface FieldIssue extends Pick<FlatIssue, "path" | "issue"> {
  /** The paths of the issues that equally short branches have instead of this one. */
  readonly others: readonly Path[];
}

function fieldIssues(issues: readonly z.core.$ZodIssue[], above: Path): FieldIssue[] {
  return issues.flatMap((issue) => {
    const path = [...above, ...issue.path];
    if (issue.code !== "invalid_union" || issue.errors.length === 0) return [{ path, issue, others: [] }];
    return closestBranch(issue.errors.map((branch) => fieldIssues(branch, path)));
  });
}

/** Selects the branch with the fewest issues; among equals, the first, which notes the fields that the others name. */
function closestBranch(branches: readonly FieldIssue[][]): FieldIssue[] {
  const best = branches.reduce((shorter, branch) => (branch.length < shorter.length ? branch : shorter));
  const rivals = branches.filter((branch) => branch !== best && branch.length === best.length);
  return best.map((issue) => ({ ...issue, others: rivals.flatMap((rival) => replacementsOf(issue, best, rival)) }));
}

/** Returns the paths of the siblings that a rival branch reports instead of an issue. */
function replacementsOf({ path }: FieldIssue, best: readonly FieldIssue[], rival: readonly FieldIssue[]): Path[] {
  const isIn = (branch: readonly FieldIssue[], at: Path) => branch.some((other) => isSame(other.path, at));
  if (isIn(rival, path)) return [];
  const parent = path.slice(0, -1);
  return rival.map((other) => other.path).filter((at) => !isIn(best, at) && isSame(at.slice(0, -1), parent));
}

function isSame(one: Path, other: Path): boolean {
  return one.length === other.length && one.every((key, index) => key === other[index]);
}

/** Follows own properties only, so that a name like `constructor` finds nothing that was not sent. */
function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((value, key) => {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key)) return undefined;
    return (value as Record<PropertyKey, unknown>)[key];
  }, input);
}

/**
 * Describes where a value does not match the contract and what was expected. It shows only the type of the value, which may
 * be a secret; the value itself is shown only if one of a few names was expected.
 */
export function describeIssue({ path, issue, input }: FlatIssue): Mismatch {
  return { path: formatPath(path), message: messageOf(issue, input) };
}

function messageOf(issue: FlatIssue["issue"], input: unknown): string {
  if (issue.code === "unrecognized_keys") return `unknown fields: ${list(issue.keys, "")}`;
  const expected = expectation(issue);
  if (expected === undefined) return issue.message;
  return `expected ${expected}, received ${input === undefined ? "nothing" : received(issue, input)}`;
}

function expectation(issue: FlatIssue["issue"]): string | undefined {
  switch (issue.code) {
    case "invalid_type":
      return issue.expected;
    case "invalid_value":
      return list(issue.values);
    case "invalid_union":
      return "options" in issue && issue.options !== undefined ? list(issue.options) : undefined;
    case "invalid_format":
      return issue.format === "regex" ? `a string matching ${issue.pattern}` : `a valid ${issue.format}`;
    case "too_small":
      return `${issue.origin} ${issue.inclusive === false ? "greater than" : "of at least"} ${issue.minimum}`;
    case "too_big":
      return `${issue.origin} ${issue.inclusive === false ? "less than" : "of at most"} ${issue.maximum}`;
    default:
      return undefined;
  }
}

function received({ code }: FlatIssue["issue"], input: unknown): string {
  if (/value|union/.test(code)) return describeValue(input);
  return (code === "invalid_type" ? "" : "another ") + describeType(input);
}

function list(values: readonly unknown[], opening = values.length > 1 ? "one of " : ""): string {
  const shown = values.slice(0, LONGEST_LIST).map((value) => JSON.stringify(value) ?? String(value));
  const rest = values.length > LONGEST_LIST ? ` or ${values.length - LONGEST_LIST} more` : "";
  return opening + shown.join(", ") + rest;
}
