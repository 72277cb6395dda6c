import { InvalidInputError } from "../errors/call-errors.ts";
import { describeType, describeValue } from "../errors/describe-value.ts";

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
    value: { readonly [Name in string]?: Value } | object,
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

  /** Returns an integer within limits: by default those of a timer. */
  integer(path: string, value: number, least: number, most: number = 2 ** 31 - 1): number {
    const isValid = Number.isSafeInteger(value) && value >= least && value <= most;
    this.must(isValid, path, `be an integer from ${least} to ${most}`, value, describeValue);
    return value;
  }
}

/** Continues `unknown …` like `suggestName`, in less code: suggests the names that start alike, or lists all names. */
function similar(given: string, names: readonly string[]): string {
  const close = names.filter((name) => name.startsWith(given.slice(0, 3)));
  return `"${given}"${close[0] ? `. Did you mean "${close.join('" or "')}"?` : `; expected one of: ${names.join(", ")}`}`;
}
