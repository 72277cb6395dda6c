// Finds the innermost fields that do not match a schema, for a 422 of the mock and a ResponseMismatchError of the client.
import type * as z from "zod/mini";
import type { Mismatch } from "../errors/index.ts";
import { describeType, describeValue, formatPath, ownField } from "../values/describe.ts";

const LONGEST_LIST = 5;

type Path = readonly PropertyKey[];

/** One mismatch between a value and a schema, at the innermost known field. */
export interface FlatIssue {
  /** The path of the field, from the root of the checked value. */
  readonly path: Path;
  /** The issue of the schema. Its own `path` starts at the innermost union. */
  readonly issue: z.core.$ZodIssue;
  /** The value of the field; undefined if it is missing. */
  readonly input: unknown;
  /** The mismatches of each other branch of a union. */
  readonly rivals: readonly FlatIssue[][];
}

/**
 * Lists the fields that do not match a schema. For a union, it lists the fields of the branch that was probably meant: the one
 * with the fewest issues; among equals, the first in the schema. Zod itself reports only the issues of one branch if that
 * is the only one whose types match.
 *
 * @param issues The issues that the schema reported.
 * @param input The checked value.
 * @param above The path of the union that reported them.
 */
export function flattenIssues(issues: readonly z.core.$ZodIssue[], input: unknown, above: Path = []): FlatIssue[] {
  return issues.flatMap((issue) => {
    const path = [...above, ...issue.path];
    if (issue.code !== "invalid_union" || issue.errors.length === 0) {
      return [{ path, issue, input: path.reduce(ownField, input), rivals: [] }];
    }
    const branches = issue.errors.map((branch) => flattenIssues(branch, input, path));
    const best = branches.reduce((shorter, branch) => (branch.length < shorter.length ? branch : shorter));
    const rivals = branches.filter((branch) => branch !== best);
    return best.map((each) => ({ ...each, rivals }));
  });
}

/**
 * Describes where a value does not match the contract and what was expected. It shows only the type of the value, which may
 * be a secret; the value itself is shown only if one of a few names was expected.
 */
export function describeIssue({ path, issue, input }: FlatIssue): Mismatch {
  return { path: formatPath(path), message: messageOf(issue, input) };
}

function messageOf(issue: FlatIssue["issue"], input: unknown): string {
  const expected = expectation(issue);
  if (expected === undefined) return issue.message;
  if (issue.code === "invalid_format") return `expected ${expected}, received another string`;
  const received = issue.code === "invalid_value" ? describeValue(input) : describeType(input);
  return `expected ${expected}, received ${input === undefined ? "nothing" : received}`;
}

/** Returns what the contract of a response may expect: a type, one of some values, or a format. */
function expectation(issue: FlatIssue["issue"]): string | undefined {
  if (issue.code === "invalid_type") return issue.expected;
  if (issue.code === "invalid_value") return list(issue.values);
  if (issue.code !== "invalid_format") return undefined;
  return issue.format === "regex" ? `a string matching ${issue.pattern}` : `a valid ${issue.format}`;
}

function list(values: readonly unknown[]): string {
  const shown = values.slice(0, LONGEST_LIST).map((value) => JSON.stringify(value) ?? String(value));
  const rest = values.length > LONGEST_LIST ? ` or ${values.length - LONGEST_LIST} more` : "";
  return (values.length > 1 ? "one of " : "") + shown.join(", ") + rest;
}
