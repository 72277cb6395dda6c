import type { FlatIssue } from "../contract/issues.ts";
import type { Mismatch } from "../errors/index.ts";

const IDENTIFIER = /^[A-Za-z_$][\w$]*$/;
const LONGEST_LIST = 5;

/**
 * Says for a person where a value does not fit and what was expected. Of the value it shows no more than its type, and
 * itself only where one of a few names was expected: anything else may be a secret.
 */
export function describeIssue({ path, issue, input }: FlatIssue): Mismatch {
  return { path: formatPath(path), message: message(issue, input) };
}

/** Writes a path as one writes it in code: `events[0].name`. */
export function formatPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((written, key) => {
    if (typeof key === "number") return `${written}[${key}]`;
    if (!IDENTIFIER.test(String(key))) return `${written}[${JSON.stringify(String(key))}]`;
    return written === "" ? String(key) : `${written}.${String(key)}`;
  }, "");
}

function message(issue: FlatIssue["issue"], input: unknown): string {
  if (issue.code === "unrecognized_keys") return `unknown names: ${list(issue.keys)}`;
  const expected = expectation(issue);
  if (expected === undefined) return issue.message;
  const received =
    issue.code === "invalid_value" || issue.code === "invalid_union" ? shortName(input) : typeName(input);
  return `expected ${expected}, received ${received}`;
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
      return issue.format === "regex" ? `a string like ${issue.pattern}` : `a string in the format ${issue.format}`;
    case "too_small":
      return `${issue.origin} of at least ${issue.minimum}`;
    case "too_big":
      return `${issue.origin} of at most ${issue.maximum}`;
    default:
      return undefined;
  }
}

function list(values: readonly unknown[]): string {
  const shown = values.slice(0, LONGEST_LIST).map((value) => JSON.stringify(value) ?? String(value));
  const rest = values.length > LONGEST_LIST ? ` or ${values.length - LONGEST_LIST} more` : "";
  return (values.length > 1 ? "one of " : "") + shown.join(", ") + rest;
}

function shortName(value: unknown): string {
  const short =
    typeof value === "number" || typeof value === "boolean" || (typeof value === "string" && value.length <= 40);
  return short ? JSON.stringify(value) : typeName(value);
}

function typeName(value: unknown): string {
  if (value === undefined) return "nothing";
  if (value === null) return "null";
  return Array.isArray(value) ? "array" : typeof value;
}
