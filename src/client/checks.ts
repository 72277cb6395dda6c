import { suggestName } from "../errors/closest-name.ts";
import { describeType, describeValue } from "../errors/describe-value.ts";
import { InvalidInputError } from "../errors/index.ts";
import type { AccessToken, OnMismatch } from "./options.ts";

const VISIBLE_ASCII = /^[\x21-\x7e]+$/;
const HEADER_NAME = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
const CONNECTION = "is set by the connection and must not be set";

/** Reserved headers, in lower case, each with the reason or the alternative. */
const RESERVED = new Map([
  ["service-version", "is set by the client; to change it, import another version"],
  ["authorization", "is set by the client; to change it, pass another accessToken"],
  ["accept", "is always application/json and must not be set"],
  ["content-type", "is always application/json and must not be set"],
  ["connection", CONNECTION],
  ["content-length", CONNECTION],
  ["expect", CONNECTION],
  ["host", CONNECTION],
  ["keep-alive", CONNECTION],
  ["transfer-encoding", CONNECTION],
  ["upgrade", CONNECTION],
]);

/** The longest delay of a timer, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/**
 * Checks an object.
 *
 * @throws {@link InvalidInputError} unless the value is an object.
 */
export function checkObject<Value extends object>(path: string, value: Value, operation?: string): Value {
  if (typeof value === "object" && value !== null) return value;
  throw new InvalidInputError(path, `must be an object; received ${describeType(value)}`, { operation });
}

/**
 * Checks the names of options. A typo must not silently select a default, for example the production environment.
 *
 * @throws {@link InvalidInputError} for an unknown name, with the closest valid one.
 */
export function checkNames(path: string, options: object, names: readonly string[], operation?: string): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || names.includes(name)) continue;
    const subject = `unknown ${path.slice(0, -1)}`;
    throw new InvalidInputError(`${path}.${name}`, suggestName(name, names), { operation, subject });
  }
}

/**
 * Checks a timeout in milliseconds.
 *
 * @throws {@link InvalidInputError} unless it is greater than 0 and a timer can wait that long.
 */
export function checkTimeout(value: unknown, operation?: string): number {
  if (typeof value === "number" && value > 0 && value <= LONGEST) return value;
  const problem = `must be a number of milliseconds greater than 0 and at most ${LONGEST}; received ${describeValue(value)}`;
  throw new InvalidInputError("timeout", problem, { operation });
}

/**
 * Checks an integer.
 *
 * @throws {@link InvalidInputError} unless it is an integer of at least `least`.
 */
export function checkInteger(path: string, value: unknown, least: number, operation?: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= least) return value as number;
  const problem = `must be an integer of at least ${least}; received ${describeValue(value)}`;
  throw new InvalidInputError(path, problem, { operation });
}

/**
 * Checks a signal.
 *
 * @throws {@link InvalidInputError} unless it is an `AbortSignal` or undefined.
 */
export function checkSignal(value: unknown, operation: string): AbortSignal | undefined {
  if (value === undefined || isSignal(value)) return value;
  throw new InvalidInputError("signal", `must be an AbortSignal; received ${describeType(value)}`, { operation });
}

function isSignal(value: unknown): value is AbortSignal {
  return typeof value === "object" && value !== null && "aborted" in value && "addEventListener" in value;
}

/**
 * Checks a reaction to a mismatch.
 *
 * @throws {@link InvalidInputError} unless it is `throw`, `warn`, `ignore` or undefined.
 */
export function checkOnMismatch(path: string, value: OnMismatch = "throw"): OnMismatch {
  if (value === "throw" || value === "warn" || value === "ignore") return value;
  throw new InvalidInputError(path, `must be "throw", "warn" or "ignore"; received ${describeValue(value)}`);
}

/**
 * Checks that the named members of an object are functions.
 *
 * @param all Whether all of them are required.
 * @throws {@link InvalidInputError} unless they are.
 */
export function checkFunctions<Value extends object>(
  path: string,
  value: Value,
  names: readonly string[],
  all = false,
): Value {
  checkObject(path, value);
  for (const name of names) {
    const method = methodOf(value, name);
    if (typeof method === "function" || (method === undefined && !all)) continue;
    throw new InvalidInputError(`${path}.${name}`, `must be a function; received ${describeType(method)}`);
  }
  return value;
}

/**
 * Checks the caller's headers and returns them with lower-case names.
 *
 * @throws {@link InvalidInputError} for a reserved or malformed header. The message never contains a value.
 */
export function checkHeaders(value: unknown, operation?: string): Readonly<Record<string, string>> {
  if (value === undefined) return {};
  if (typeof value !== "object" || value === null || Symbol.iterator in value) {
    throw new InvalidInputError("headers", "must be an object with names and values", { operation });
  }
  return Object.fromEntries(Object.entries(value).map(([name, text]) => checkHeader(name, text, operation)));
}

/** Checks the headers that a hook has changed and returns them with lower-case names. */
export function checkHookHeaders(headers: Headers, operation: string): Readonly<Record<string, string>> {
  return Object.fromEntries([...headers].map(([name, text]) => checkHeader(name, text, operation)));
}

function checkHeader(name: string, value: unknown, operation: string | undefined): [string, string] {
  const problem = RESERVED.get(name.toLowerCase()) ?? headerProblem(name, value);
  if (problem === undefined) return [name.toLowerCase(), value as string];
  throw new InvalidInputError(`headers[${JSON.stringify(name)}]`, problem, { operation });
}

function headerProblem(name: string, value: unknown): string | undefined {
  if (!HEADER_NAME.test(name)) return "is not a valid header name";
  if (typeof value !== "string") return "must be a string";
  if (/[\r\n\0]/.test(value)) return "must not contain a line break or a NUL character";
  return HEADER_VALUE.test(value) ? undefined : "contains a character that is not allowed in a header";
}

/**
 * Checks an access token, or a function that returns one.
 *
 * @throws {@link InvalidInputError} when it is invalid. The message never contains the token.
 */
export function checkAccessToken(value: unknown, operation?: string): AccessToken {
  if (typeof value === "function") return value as AccessToken;
  if (typeof value === "string") return checkToken(value, operation);
  const hint = value === undefined ? " (is its environment variable set?)" : "";
  const problem = `must be a string or a function that returns one; received ${describeType(value)}${hint}`;
  throw new InvalidInputError("accessToken", problem, { operation });
}

/** Checks a token. */
export function checkToken(token: string, operation: string | undefined): string {
  if (VISIBLE_ASCII.test(token)) return token;
  throw new InvalidInputError("accessToken", tokenProblem(token), { operation });
}

function tokenProblem(token: string): string {
  if (token === "") return "must not be empty";
  if (/[\r\n]/.test(token)) return "must not contain a line break; trim the value";
  if (/^bearer /i.test(token)) return 'must not start with "Bearer"; pass only the token';
  if (token.includes(" ")) return "must not contain a space";
  return "must contain only visible ASCII characters";
}

/** Copies the own properties of an object, so that a property of `Object.prototype` never counts as an option. */
export function own<Value extends object>(value: Value): Value {
  return { __proto__: null, ...value } as Value;
}

/** Returns a method of an object or of its class, but never one of `Object.prototype` (of any realm). */
export function methodOf(value: object, name: string): unknown {
  for (let at = value; ; ) {
    if (Object.hasOwn(at, name)) return (value as Record<string, unknown>)[name];
    at = Object.getPrototypeOf(at) as object;
    if (at === null || Object.getPrototypeOf(at) === null) return undefined;
  }
}

/** Binds the named methods of an object or of its class. A missing method is undefined. */
export function methodsOf<Value extends object>(value: Value, names: readonly string[]): Value {
  const bound = names.map((name) => {
    const method = methodOf(value, name);
    return [name, typeof method === "function" ? method.bind(value) : undefined];
  });
  return Object.fromEntries(bound) as Value;
}
