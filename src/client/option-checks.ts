import { InvalidInputError } from "../errors/index.ts";
import type { OnMismatch } from "./options.ts";
import { methodOf } from "./own.ts";

/** The longest time that a timer can wait, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/** Refuses what is no object. */
export function checkObject<Value extends object>(path: string, value: Value, operation?: string): Value {
  if (typeof value === "object" && value !== null) return value;
  throw new InvalidInputError(path, "must be an object", { operation });
}

/**
 * Refuses an option that does not exist: one that is misspelt would leave its default in force, and a request would go to
 * production that was meant for another place.
 */
export function checkNames(path: string, options: object, names: readonly string[], operation?: string): void {
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || names.includes(name)) continue;
    throw new InvalidInputError(`${path}.${name}`, `does not exist; there are ${names.join(", ")}`, { operation });
  }
}

/** Refuses a timeout that is no time. */
export function checkTimeout(value: unknown, operation?: string): number {
  if (typeof value === "number" && value > 0 && value <= LONGEST) return value;
  throw new InvalidInputError("timeout", `must be a number of milliseconds above 0, at most ${LONGEST}`, { operation });
}

/** Refuses a number of retries that is none. */
export function checkMaxRetries(value: unknown, operation?: string): number {
  if (Number.isSafeInteger(value) && (value as number) >= 0) return value as number;
  throw new InvalidInputError("maxRetries", "must be a whole number, 0 or more", { operation });
}

/**
 * Checks a limit in bytes.
 *
 * @throws {@link InvalidInputError} unless it is an integer of at least 1.
 */
export function checkMaxResponseBytes(value: unknown, operation?: string): number {
  if (Number.isSafeInteger(value) && (value as number) > 0) return value as number;
  throw new InvalidInputError("maxResponseBytes", "must be an integer of at least 1", { operation });
}

/** Refuses a signal that is none. */
export function checkSignal(value: unknown, operation: string): AbortSignal | undefined {
  if (value === undefined || isSignal(value)) return value;
  throw new InvalidInputError("signal", "must be an AbortSignal", { operation });
}

function isSignal(value: unknown): value is AbortSignal {
  return typeof value === "object" && value !== null && "aborted" in value && "addEventListener" in value;
}

/** Refuses a reaction that the client does not know. */
export function checkOnMismatch(path: string, value: OnMismatch = "throw"): OnMismatch {
  if (value === "throw" || value === "warn" || value === "ignore") return value;
  throw new InvalidInputError(path, 'must be "throw", "warn" or "ignore"');
}

/** Refuses an object that has something else than functions under these names. */
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
    throw new InvalidInputError(`${path}.${name}`, "must be a function");
  }
  return value;
}
