import { describeType, describeValue } from "../errors/describe-value.ts";
import { InvalidInputError } from "../errors/invalid-input-error.ts";

/** Checks the options of one function. Every check throws {@link InvalidInputError}, and none shows a secret. */
export class OptionChecks {
  readonly #caller: string;

  constructor(caller: string) {
    this.#caller = caller;
  }

  /** Returns an error for an argument. */
  fail(path: string, problem: string, subject: string = path): InvalidInputError {
    return new InvalidInputError(path, problem, { caller: this.#caller, subject });
  }

  /** Returns a value if it is an object. */
  object<Value>(path: string, value: Value): Value & object {
    if (typeof value === "object" && value !== null) return value;
    throw this.fail(path, `must be an object; received ${describeType(value)}`);
  }

  /** Checks the names in an object. A typo must not silently disable an option or a function. */
  names(path: string, value: object, names: readonly string[], what: string): void {
    for (const name of Object.keys(value)) {
      if (!names.includes(name)) throw this.fail(`${path}.${name}`, similar(name, names), `unknown ${what}`);
    }
  }

  /** Returns a value if it is a function. */
  function<Value>(path: string, value: Value): Value {
    if (typeof value === "function") return value;
    throw this.fail(path, `must be a function; received ${describeType(value)}`);
  }

  /** Returns an integer of at least `least`, or the default. */
  integer(path: string, value: unknown, least: number, otherwise: number): number {
    if (value === undefined) return otherwise;
    if (Number.isSafeInteger(value) && (value as number) >= least) return value as number;
    throw this.fail(path, `must be an integer of at least ${least}; received ${describeValue(value)}`);
  }

  /** Returns a secret. Its value never appears in an error. */
  secret(path: string, value: unknown): string {
    if (typeof value !== "string" || value === "") {
      const received = value === "" ? "an empty string" : describeType(value);
      throw this.fail(path, `must be the secret of the endpoint; received ${received}. Is the variable set?`);
    }
    if (value.trim() === value) return value;
    throw this.fail(path, "must not start or end with whitespace");
  }
}

/** Names a value, and the valid names that start like it, or all of them. */
function similar(given: string, names: readonly string[]): string {
  const close = names.filter((name) => name.startsWith(given.slice(0, 3)));
  return `"${given}"; expected one of: ${(close.length > 0 ? close : names).join(", ")}`;
}
