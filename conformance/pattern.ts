/**
 * Describes a value: a literal, a `RegExp` for a string, `String`, `Number`, `Boolean` or `Array` for a type, a function that
 * returns whether a value fits, an array whose only item describes all items, or an object with the fields to look at.
 */
export type Pattern =
  | null
  | boolean
  | number
  | string
  | RegExp
  | Test
  | StringConstructor
  | NumberConstructor
  | BooleanConstructor
  | ArrayConstructor
  | readonly Pattern[]
  | { readonly [field: string]: Pattern };

/** A test of a value. */
interface Test {
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
}

/** A place where a value does not fit its pattern. */
export interface Mismatch {
  /** The path of the value, such as `events.0`; empty for the whole. */
  readonly path: string;
  readonly expected: string;
  readonly value: unknown;
}

const TYPES = new Map<unknown, [name: string, fits: (value: unknown) => boolean]>([
  [String, ["a string", (value) => typeof value === "string"]],
  [Number, ["an integer", (value) => Number.isInteger(value)]],
  [Boolean, ["a boolean", (value) => typeof value === "boolean"]],
  [Array, ["an array", Array.isArray]],
]);

/** Describes a value by a function. */
export function test(expected: string, fits: (value: unknown) => boolean): Test {
  return { expected, fits };
}

const statuses = (expected: string, least: number, below: number) =>
  test(expected, (status) => Number(status) >= least && Number(status) < below);

/** A successful status. */
export const SUCCESS: Test = statuses("a 2xx", 200, 300);

/** The status of a rejection. */
export const CLIENT_ERROR: Test = statuses("a 4xx", 400, 500);

/** The status for a token that does not allow the request. */
export const DENIED: Test = oneOf(401, 403);

/** Matches any value except undefined. */
export const PRESENT: Test = test("present", (value) => value !== undefined);

/** Describes a value that is null or fits a pattern. */
export function orNull(pattern: Pattern): Test {
  return test(`null or ${textOf(pattern)}`, (value) => value === null || !mismatch(value, pattern));
}

/** Describes a field that is absent or fits a pattern. */
export function optional(pattern: Pattern): Test {
  return test(`absent or ${textOf(pattern)}`, (value) => value === undefined || !mismatch(value, pattern));
}

/** Describes a value that is one of several. */
export function oneOf(...values: readonly unknown[]): Test {
  return test(`one of ${values.map((value) => JSON.stringify(value)).join(", ")}`, (value) => values.includes(value));
}

/** Returns the first place where a value does not fit a pattern; undefined if it fits. */
export function mismatch(value: unknown, pattern: Pattern, path: readonly string[] = []): Mismatch | undefined {
  const isLeaf = isTest(pattern) || pattern instanceof RegExp || typeof pattern !== "object" || pattern === null;
  if (isLeaf) {
    return fitsLeaf(value, pattern) ? undefined : { path: path.join("."), expected: textOf(pattern), value };
  }
  const isList = Array.isArray(pattern);
  if (isList ? !Array.isArray(value) : typeof value !== "object" || value === null) {
    return { path: path.join("."), expected: isList ? "an array" : "an object", value };
  }
  const fields: [string, Pattern][] = isList
    ? Object.keys(value as object).map((index) => [index, pattern[0] as Pattern])
    : Object.entries(pattern);
  for (const [name, inner] of fields) {
    const own = Object.hasOwn(value as object, name) ? (value as Record<string, unknown>)[name] : undefined;
    const found = mismatch(own, inner, [...path, name]);
    if (found) return found;
  }
  return undefined;
}

function isTest(pattern: unknown): pattern is Test {
  return typeof pattern === "object" && pattern !== null && "fits" in pattern;
}

function fitsLeaf(value: unknown, pattern: Pattern): boolean {
  if (isTest(pattern)) return pattern.fits(value);
  if (pattern instanceof RegExp) return typeof value === "string" && pattern.test(value);
  return TYPES.get(pattern)?.[1](value) ?? value === pattern;
}

/** Returns the text of a pattern in a report. */
export function textOf(pattern: Pattern): string {
  if (isTest(pattern)) return pattern.expected;
  if (pattern instanceof RegExp) return `a string that matches ${pattern}`;
  const type = TYPES.get(pattern);
  if (type) return type[0];
  if (Array.isArray(pattern)) return `an array of ${textOf(pattern[0] as Pattern)}`;
  if (typeof pattern !== "object" || pattern === null) return JSON.stringify(pattern);
  return `{ ${Object.entries(pattern)
    .map(([name, inner]) => `${name}: ${textOf(inner)}`)
    .join(", ")} }`;
}
