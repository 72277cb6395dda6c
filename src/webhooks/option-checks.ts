import { describeType, describeValue } from "../errors/describe-value.ts";
import { InvalidInputError } from "../errors/invalid-input-error.ts";

type Fields<Value> = { readonly [Name in string]?: Value } | object;

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

  /** Throws unless a value is valid. The error names the requirement, and the value by its type. */
  must(isValid: boolean, path: string, requirement: string, value: unknown, describe = describeType): void {
    if (!isValid) throw this.fail(path, `must ${requirement}; received ${describe(value)}`);
  }

  /** Returns a value if it is an object, but not an array. */
  object<Value>(path: string, value: Value): Value & object {
    this.must(describeType(value) === "object", path, "be an object", value);
    return value as Value & object;
  }

  /** Returns the fields of an object. A typo in a name must not silently disable an option or a function. */
  fields<Value = unknown>(
    path: string,
    value: Fields<Value>,
    names: readonly string[],
    what = "option",
  ): [string, Value][] {
    for (const name of Object.keys(this.object(path, value))) {
      if (!names.includes(name)) throw this.fail(`${path}.${name}`, similar(name, names), `unknown ${what}`);
    }
    return Object.entries(value).filter((field): field is [string, Value] => field[1] !== undefined);
  }

  /** Returns a value if it is a function. */
  function<Value>(path: string, value: Value): Value {
    this.must(typeof value === "function", path, "be a function", value);
    return value;
  }

  /** Returns an integer of at least `least`. */
  integer(path: string, value: number, least: number): number {
    const isValid = Number.isSafeInteger(value) && value >= least;
    this.must(isValid, path, `be an integer of at least ${least}`, value, describeValue);
    return value;
  }

  /** Returns a secret. Its value never appears in an error. */
  secret(path: string, value: unknown): string {
    const trimmed = typeof value === "string" && value.trim();
    if (trimmed && trimmed === value) return trimmed;
    if (trimmed) throw this.fail(path, "must not start or end with whitespace");
    const received = trimmed === "" ? '""' : describeType(value);
    throw this.fail(path, `must be the endpoint's secret; received ${received}. Is its environment variable set?`);
  }
}

/** Continues `unknown …` like `suggestName`, in less code: suggests the names that start alike, or lists all names. */
function similar(given: string, names: readonly string[]): string {
  const close = names.filter((name) => name.startsWith(given.slice(0, 3)));
  return `"${given}"${close[0] ? `. Did you mean "${close.join('" or "')}"?` : `; expected one of: ${names.join(", ")}`}`;
}
