/** A test of a value. */
interface Test {
  readonly expected: string;
  readonly fits: (value: unknown) => boolean;
}

type Literal = null | boolean | number | string;

/**
 * Describes a value: a literal, a `RegExp` for a string, a test, an array whose only item describes all items, or an object
 * with the fields to look at.
 */
export type Pattern = Literal | RegExp | Test | readonly Pattern[] | { readonly [field: string]: Pattern };

/** A place where a value does not fit its pattern. */
interface Mismatch {
  /** The path of the value, such as `events.0`; empty for the whole. */
  readonly path: string;
  readonly expected: string;
  readonly value: unknown;
}

/** Describes a value by a function. */
export function test(expected: string, fits: (value: unknown) => boolean): Test {
  return { expected, fits };
}

/** Matches a string. */
export const STRING: Test = test("a string", (value) => typeof value === "string");
/** Matches an integer. */
export const INTEGER: Test = test("an integer", Number.isInteger);
/** Matches a boolean. */
export const BOOLEAN: Test = test("a boolean", (value) => typeof value === "boolean");
/** Matches an array. */
export const ARRAY: Test = test("an array", Array.isArray);
/** Matches an object that is not an array. */
export const OBJECT: Test = test("an object", (value) => Object(value) === value && !Array.isArray(value));

/** Matches any value except undefined. */
export const PRESENT: Test = test("present", (value) => value !== undefined);

const statuses = (expected: string, first: number) =>
  test(expected, (status) => Number(status) >= first && Number(status) < first + 100);

/** A successful status. */
export const SUCCESS: Test = statuses("a 2xx", 200);

/** The status of a rejection. */
export const CLIENT_ERROR: Test = statuses("a 4xx", 400);

/** The status for a token that does not allow the request. */
export const DENIED: Test = oneOf(401, 403);

/** Describes a value that is null or fits a pattern. */
export function orNull(pattern: Pattern): Test {
  return test(`null or ${testOf(pattern).expected}`, (value) => value === null || !mismatch(value, pattern));
}

/** Describes a field that is absent or fits a pattern. */
export function optional(pattern: Pattern): Test {
  return test(`absent or ${testOf(pattern).expected}`, (value) => value === undefined || !mismatch(value, pattern));
}

/** Describes a value that is one of several. */
export function oneOf(...values: readonly unknown[]): Test {
  return test(`one of ${values.map((value) => JSON.stringify(value)).join(", ")}`, (value) => values.includes(value));
}

/** Returns the test of a value as a whole, without its items or fields. */
function testOf(pattern: Pattern): Test {
  if (pattern instanceof RegExp)
    return test(`a string that matches ${pattern}`, (value) => typeof value === "string" && pattern.test(value));
  if (typeof pattern !== "object" || pattern === null)
    return test(JSON.stringify(pattern), (value) => value === pattern);
  return "fits" in pattern ? (pattern as Test) : Array.isArray(pattern) ? ARRAY : OBJECT;
}

/** Returns the first place where a value does not fit a pattern; undefined if it fits. */
export function mismatch(value: unknown, pattern: Pattern, path: readonly string[] = []): Mismatch | undefined {
  const whole = testOf(pattern);
  if (!whole.fits(value)) return { path: path.join("."), expected: whole.expected, value };
  const hasParts = whole !== pattern && (whole === ARRAY || whole === OBJECT);
  for (const name of hasParts ? Object.keys((whole === ARRAY ? value : pattern) as object) : []) {
    const inner = Array.isArray(pattern) ? pattern[0] : (pattern as Record<string, Pattern>)[name];
    const own = Object.hasOwn(value as object, name) ? (value as Record<string, unknown>)[name] : undefined;
    const found = mismatch(own, inner, [...path, name]);
    if (found) return found;
  }
  return undefined;
}
