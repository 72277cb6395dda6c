import * as z from "zod/mini";
import { type FlatIssue, flattenIssues } from "../../src/contract/flatten-issues.ts";
import { formatPath } from "../../src/values/describe.ts";
import { isObject } from "../options/field-types.ts";

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

/** Describes a number, or the length of a string or a list, that is out of range. */
function describeLimit(bound: "least" | "most", limit: number, { origin }: { readonly origin: string }): ProblemText {
  const isMin = bound === "least";
  const sized = SIZED[origin];
  if (!sized) {
    return { type: "value_error", msg: `Input should be at ${bound} ${limit}`, ctx: { [isMin ? "ge" : "le"]: limit } };
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

/** The maximum number of ignored fields that are listed for a request. */
const MAX_IGNORED = 20;

/**
 * Lists the fields of a valid request that its contract does not define, once for all items of a list:
 * `body.events[].external_Id`.
 *
 * @param kept What the contract keeps of the request.
 * @param root The part of the request: `query` or `body`.
 */
export function addIgnored(sent: unknown, kept: unknown, root: string, ignored: Set<string>): void {
  walkUnknown(sent, kept, [], (path) => {
    ignored.add(path.reduce<string>((place, key) => place + (typeof key === "number" ? "[]" : `.${key}`), root));
    return ignored.size >= MAX_IGNORED;
  });
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
