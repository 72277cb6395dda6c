import { InvalidInputError } from "./call-errors.ts";
import { suggestName } from "./closest-name.ts";
import { describeType, describeValue } from "./describe-value.ts";

/** The longest delay of a timer, in milliseconds. */
export const LONGEST_DELAY: number = 2 ** 31 - 1;

/** Checks the options of one function. Every method throws an {@link InvalidInputError} that names the option. */
export class CheckedOptions<Options extends object> {
  readonly #caller: string;
  readonly #options: Options;

  /** Checks that the options are an object that has no other names. */
  constructor(caller: string, options: Options, names: readonly (keyof Options & string)[]) {
    this.#caller = caller;
    if (typeof options !== "object" || options === null) {
      throw this.#invalid("options", `must be an object; received ${describeType(options)}`);
    }
    this.#options = { __proto__: null, ...options } as Options;
    for (const [name, value] of Object.entries(this.#options)) {
      if (value !== undefined && !names.includes(name as never)) throw this.#unknown(name, names);
    }
  }

  /** Returns an integer between two limits, or the default. */
  integer(name: keyof Options & string, byDefault: number, [least, most]: readonly [number, number]): number {
    const value: unknown = this.#options[name] ?? byDefault;
    if (Number.isSafeInteger(value) && (value as number) >= least && (value as number) <= most) return value as number;
    throw this.#invalid(name, `must be an integer from ${least} to ${most}; received ${describeValue(value)}`);
  }

  /** Returns one of several strings, or the first. */
  oneOf<Value extends string>(name: keyof Options & string, values: readonly [Value, ...Value[]]): Value {
    const value = (this.#options[name] ?? values[0]) as Value;
    if (values.includes(value)) return value;
    throw this.#invalid(name, `must be one of ${values.join(", ")}; received ${describeValue(value)}`);
  }

  /** Returns a boolean, false by default. */
  flag(name: keyof Options & string): boolean {
    const value: unknown = this.#options[name] ?? false;
    if (typeof value === "boolean") return value;
    throw this.#invalid(name, `must be a boolean; received ${describeValue(value)}`);
  }

  /** Returns an object with the named methods, or undefined. */
  object<Name extends keyof Options & string>(name: Name, methods: readonly string[]): Options[Name] {
    const value = this.#options[name] as Record<string, unknown> | undefined;
    if (value === undefined) return value as Options[Name];
    const missing = methods.find((method) => typeof value?.[method] !== "function");
    if (missing === undefined) return value as Options[Name];
    throw this.#invalid(name, `must be an object with the method ${missing}; received ${describeType(value)}`);
  }

  /** Returns a function, or undefined. */
  callback<Name extends keyof Options & string>(name: Name): Options[Name] {
    const value: unknown = this.#options[name];
    if (value === undefined || typeof value === "function") return value as Options[Name];
    throw this.#invalid(name, `must be a function; received ${describeType(value)}`);
  }

  #unknown(name: string, names: readonly string[]): InvalidInputError {
    const options = { caller: this.#caller, subject: "unknown option" };
    return new InvalidInputError(`options.${name}`, suggestName(name, names), options);
  }

  #invalid(path: string, problem: string): InvalidInputError {
    return new InvalidInputError(path, problem, { caller: this.#caller });
  }
}
