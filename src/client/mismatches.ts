import type { FlatIssue } from "../contract/flatten-issues.ts";
import { describeType, describeValue } from "../errors/describe-value.ts";
import type { Mismatch } from "../errors/index.ts";

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const LONGEST_LIST = 5;

/**
 * Describes where a value does not match the contract and what was expected. It shows only the type of the value, which may
 * be a secret; the value itself is shown only if one of a few names was expected.
 */
export function describeIssue({ path, issue, input }: FlatIssue): Mismatch {
  return { path: formatPath(path), message: message(issue, input) };
}

/** Formats a path as in code: `events[0].name`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((written, key) => {
    if (typeof key === "number") return `${written}[${key}]`;
    if (!IDENTIFIER.test(String(key))) return `${written}[${JSON.stringify(String(key))}]`;
    return written === "" ? String(key) : `${written}.${String(key)}`;
  }, "");
}

function message(issue: FlatIssue["issue"], input: unknown): string {
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
