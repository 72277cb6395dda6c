import { suggestName } from "../errors/closest-name.ts";
import { describeType, describeValue } from "../errors/describe-value.ts";
import { InvalidInputError } from "../errors/index.ts";
import type { OnMismatch } from "./options.ts";
import { methodOf } from "./own.ts";

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
 * Checks a number of retries.
 *
 * @throws {@link InvalidInputError} unless it is an integer of at least 0.
 */
export function checkMaxRetries(value: unknown, operation?: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw notInteger("maxRetries", 0, value, operation);
}

/**
 * Checks a limit in bytes.
 *
 * @throws {@link InvalidInputError} unless it is an integer of at least 1.
 */
export function checkMaxResponseBytes(value: unknown, operation?: string): number {
  if (Number.isSafeInteger(value) && (value as number) > 0) return value as number;
  throw notInteger("maxResponseBytes", 1, value, operation);
}

function notInteger(path: string, least: number, value: unknown, operation: string | undefined): InvalidInputError {
  const problem = `must be an integer of at least ${least}; received ${describeValue(value)}`;
  return new InvalidInputError(path, problem, { operation });
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
