import * as z from "zod/mini";
import { type FlatIssue, flattenIssues } from "../../src/contract/flatten-issues.ts";
import { formatPath } from "../../src/values/describe.ts";
import { describeLimit, type Loc, type Problem, type ProblemText } from "./problems.ts";

const anyUuid = z.uuid();

/** Returns whether a string is a UUID of version 1 to 8, nil or max (RFC 9562, section 4), in lower or upper case. */
export function isUuid(input: string): boolean {
  return anyUuid.safeParse(input).success;
}

const TIME_WITHOUT_ZONE = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?$/;

/** The issues that a schema reports. */
export type Issues = Parameters<typeof flattenIssues>[0];

/**
 * Turns the issues of a schema into the problems of a 422 (G-422).
 *
 * `flattenIssues` decides which field a problem names, in `src/contract/flatten-issues.ts`: of the branches of a union it
 * follows the one with the fewest issues, the first among equals.
 *
 * @param root The place of the checked value in the request.
 */
export function problemsOf(issues: Issues, input: unknown, root: Loc): Problem[] {
  const all = flattenIssues(issues, input);
  const named = new Set(all.map(({ path }) => formatPath(path)));
  return all.map((flat) => ({
    loc: [...root, ...flat.path.map((key) => (typeof key === "symbol" ? String(key) : key))],
    ...describe(flat, named),
    ...(flat.input === undefined ? {} : { input: flat.input }),
  }));
}

/** Returns the names of missing siblings that could replace a missing field: those that another branch requires instead. */
function alternativesOf({ path, rivals }: FlatIssue, named: ReadonlySet<string>): string[] {
  const [field, parent] = [formatPath(path), formatPath(path.slice(0, -1))];
  const others = rivals.filter((rival) => !rival.some((other) => formatPath(other.path) === field)).flat();
  const missing = others.filter((other) => other.input === undefined && !named.has(formatPath(other.path)));
  const siblings = missing.filter((other) => formatPath(other.path.slice(0, -1)) === parent);
  return siblings.map((other) => String(other.path.at(-1)));
}

/** Returns the names of the fields of which only one is allowed, according to the branches of a union. */
function exclusivesOf({ path, rivals }: FlatIssue): string[] {
  const others = rivals.flat().filter(({ issue }) => issue.code === "invalid_type" && issue.expected === "never");
  return [...new Set([path, ...others.map((other) => other.path)].map((each) => String(each.at(-1))))];
}

function describe(flat: FlatIssue, named: ReadonlySet<string>): ProblemText {
  const { path, issue, input } = flat;
  if (input === undefined) return describeMissing(issue, [String(path.at(-1)), ...alternativesOf(flat, named)]);
  switch (issue.code) {
    case "invalid_type":
      if (issue.expected === "never")
        return { type: "value_error", msg: `Give ${exclusivesOf(flat).join(" or ")}, not both` };
      return TYPES[issue.expected] ?? { type: "value_error", msg: `Input should be ${issue.expected}` };
    case "invalid_format":
      return describeFormat(issue, String(input));
    case "invalid_value":
      return describeEnum(issue.values.map(String));
    case "too_small":
      return describeLimit("least", Number(issue.minimum), issue);
    case "too_big":
      return describeLimit("most", Number(issue.maximum), issue);
    case "unrecognized_keys":
      return { type: "extra_forbidden", msg: `Extra inputs are not permitted: ${issue.keys.join(", ")}` };
    default:
      return { type: "value_error", msg: issue.message ?? "Invalid input" };
  }
}

function describeMissing(issue: FlatIssue["issue"], fields: readonly string[]): ProblemText {
  const text = fields.length === 1 ? "Field required" : `One of these fields is required: ${fields.join(", ")}`;
  return { type: "missing", msg: issue.code === "custom" ? issue.message : text };
}

type IssueOf<Code> = Extract<FlatIssue["issue"], { readonly code: Code }>;

const DICT: ProblemText = { type: "dict_type", msg: "Input should be a valid dictionary" };

const TYPES: Readonly<Record<string, ProblemText>> = {
  string: { type: "string_type", msg: "Input should be a valid string" },
  int: { type: "int_type", msg: "Input should be a valid integer" },
  // For integers, zod also reports `number` if the value is not a number.
  number: { type: "int_type", msg: "Input should be a valid number" },
  boolean: { type: "bool_type", msg: "Input should be a valid boolean" },
  array: { type: "list_type", msg: "Input should be a valid list" },
  object: DICT,
  record: DICT,
};

/** Formats of zod that are requirements for a string, not the names of kinds of strings. */
const REQUIREMENTS = /^(starts_with|ends_with|includes|lowercase|uppercase|template_literal)$/;

function describeFormat({ format, pattern }: IssueOf<"invalid_format">, input: string): ProblemText {
  if (format === "uuid") {
    return isUuid(input)
      ? { type: "uuid_version", msg: "UUID version 4 expected", ctx: { expected_version: 4 } }
      : { type: "uuid_parsing", msg: "Input should be a valid UUID" };
  }
  if (format === "datetime") {
    return TIME_WITHOUT_ZONE.test(input)
      ? { type: "timezone_aware", msg: "Input should have timezone info" }
      : { type: "datetime_parsing", msg: "Input should be a valid datetime" };
  }
  if (format === "regex") return { type: "value_error", msg: `String should match pattern '${pattern}'` };
  if (REQUIREMENTS.test(format)) return { type: "value_error", msg: "String should have the required format" };
  return { type: "value_error", msg: `Input should be a valid ${format}` };
}

function describeEnum(values: readonly string[]): ProblemText {
  const quoted = values.map((value) => `'${value}'`);
  const expected = quoted.length > 1 ? `${quoted.slice(0, -1).join(", ")} or ${quoted.at(-1)}` : quoted.join("");
  return { type: "enum", msg: `Input should be ${expected}`, ctx: { expected } };
}

const SHOULD = /^(?:Input|String|List|URL) should /;
const FIELD = /^Field (?:is )?/;

/** Rewords the `msg` of a 422 to follow the name of a field: `Input should be a valid string` to `must be a valid string`. */
export function toRequirement(msg: string): string {
  if (SHOULD.test(msg)) return msg.replace(SHOULD, "must ");
  return FIELD.test(msg) ? msg.replace(FIELD, "is ") : `is invalid: ${msg}`;
}
