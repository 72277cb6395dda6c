import { describeType, describeValue } from "../values/describe.ts";
import { stringify } from "../values/json.ts";
import { AbortedError, InvalidInputError, TimeoutError } from "./call-errors.ts";

/** The longest delay of a timer, in milliseconds. */
export const LONGEST_DELAY: number = 2 ** 31 - 1;

type InvalidInputErrorOptions = NonNullable<ConstructorParameters<typeof InvalidInputError>[2]>;

/** A list of names has this type unless it lacks a field of the value; a list that is made at run time always has it. */
type Complete<Value, Name> = [Exclude<keyof Value, Name>] extends [never]
  ? unknown
  : { readonly missing: Exclude<keyof Value, Name> };

/** Checks the arguments and options of one function. Every check throws an {@link InvalidInputError}; none shows a secret. */
export class Checks {
  readonly #called: InvalidInputErrorOptions;

  /** @param called The operation or the other function that was called. */
  constructor(called: Pick<InvalidInputErrorOptions, "operation" | "caller">) {
    this.#called = called;
  }

  /** Returns an error for an argument. */
  fail(path: string, problem: string, options: InvalidInputErrorOptions = {}): InvalidInputError {
    return new InvalidInputError(path, problem, { ...this.#called, ...options });
  }

  /** Throws unless a value is valid. The error names the requirement, and the value by its type. */
  must(isValid: boolean, path: string, requirement: string, value: unknown, describe = describeType): void {
    if (!isValid) throw this.fail(path, `must ${requirement}; received ${describe(value)}`);
  }

  /** Returns a value if it is an object, but not an array. */
  object<Value>(path: string, value: Value): Value & object {
    this.must(describeType(value) === "object", path, "be an object", value);
    return value as Value & object;
  }

  /**
   * Returns a copy of the named fields of an object, which may be getters or inherited. Neither they nor a typo in an own name
   * must silently select a default, for example the production environment. A property of `Object.prototype` is not an option.
   */
  fields<Value extends object, Name extends string>(
    path: string,
    value: Value,
    names: readonly Name[] & Complete<Value, Name>,
    what = "option",
  ): Value {
    const fields = { __proto__: null, ...this.object(path, value) } as Value;
    for (const name of Object.keys(fields)) {
      if (names.includes(name as Name) || fields[name as keyof Value] === undefined) continue;
      const problem = `${JSON.stringify(name)}; expected one of: ${names.join(", ")}`;
      throw this.fail(`${path}.${name}`, problem, { subject: `unknown ${what}` });
    }
    for (const name of names as readonly string[] as (keyof Value & string)[]) {
      if (!(name in fields || name in Object.prototype) && name in value) fields[name] = value[name];
    }
    return fields;
  }

  /** Returns an integer within limits. The default maximum is the longest delay of a timer. */
  integer(path: string, value: number, least: number, most: number = LONGEST_DELAY): number {
    const isValid = Number.isSafeInteger(value) && value >= least && value <= most;
    this.must(isValid, path, `be an integer from ${least} to ${most}`, value, describeValue);
    return value;
  }

  /** Returns one of several strings. */
  oneOf<Value extends string>(path: string, value: Value, values: readonly Value[]): Value {
    const listed = values.map((each) => JSON.stringify(each)).join(", ");
    this.must(values.includes(value), path, `be ${listed.replace(/, ([^,]*)$/, " or $1")}`, value, describeValue);
    return value;
  }

  /** Returns a boolean. */
  boolean(path: string, value: boolean): boolean {
    this.must(typeof value === "boolean", path, "be a boolean", value, describeValue);
    return value;
  }

  /** Returns a function. */
  function<Value>(path: string, value: Value): Value {
    this.must(typeof value === "function", path, "be a function", value);
    return value;
  }

  /** Returns an object whose named methods, own or inherited, are functions. Each may be missing, unless `all` is true. */
  methods<Value>(path: string, value: Value, names: readonly string[], all = false): Value {
    for (const name of names) {
      const method = (this.object(path, value) as Readonly<Record<string, unknown>>)[name];
      if (method !== undefined || all) this.function(`${path}.${name}`, method);
    }
    return value;
  }

  /** Returns a signal, or undefined. */
  signal(value: AbortSignal | undefined): AbortSignal | undefined {
    const isSignal = typeof value === "object" && value !== null && "aborted" in value && "addEventListener" in value;
    this.must(value === undefined || isSignal, "signal", "be an AbortSignal", value);
    return value;
  }
}

/** Serializes a value as JSON. Throws when JSON has no form for it, or would write a number as null. */
export function checkedJson(check: Checks, path: string, value: unknown): string {
  try {
    return stringify(value);
  } catch (cause) {
    const why = cause instanceof RangeError ? `: ${cause.message}` : "; see `cause`";
    throw check.fail(path, `cannot be serialized as JSON${why}`, { cause });
  }
}

/**
 * Creates the error for a signal that has aborted. The reason of `AbortSignal.timeout()` is named `TimeoutError`, also through
 * `AbortSignal.any()`.
 */
export function signalErrorOf(signal: AbortSignal | undefined, operation: string): AbortedError | TimeoutError {
  const cause: unknown = signal?.reason;
  if ((cause as Error | undefined)?.name !== "TimeoutError") {
    return new AbortedError(`${operation}: aborted by its signal`, { operation, cause });
  }
  return new TimeoutError(`${operation}: its signal timed out`, { operation, timeout: undefined, cause });
}
