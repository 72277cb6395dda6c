const brand: unique symbol = Symbol.for("@billing-service/sdk/error") as never;

/** Options of every error of the package. */
export interface BillingErrorOptions {
  /** The underlying error. */
  readonly cause?: unknown;
  /** The operation's identifier, or `METHOD path` for `client.request`. */
  readonly operation?: string | undefined;
}

/**
 * The base class of all errors in the package. Access tokens of at least 8 characters and webhook secrets are redacted in them.
 */
export abstract class BillingError extends Error {
  /** The class name. It identifies errors even if two copies of the package are loaded. */
  abstract override readonly name: string;

  /** The operation's identifier, for example `events:ingest`; undefined outside of calls. */
  declare readonly operation: string | undefined;

  constructor(message: string, options: BillingErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    if (options.operation !== undefined) this.operation = options.operation;
  }

  /**
   * Marks the errors of every copy of the package. It is on the prototype, so that it is not printed.
   *
   * @internal
   */
  get [brand](): true {
    return true;
  }

  /** Returns the fields to log: name, message and details, without headers, bodies or causes. */
  toJSON(): Record<string, unknown> {
    // A tool that observes requests may have added an object.
    const details = Object.entries(this).filter(([name, value]) => {
      return name !== "rawBody" && (name === "mismatches" || typeof value !== "object");
    });
    return { name: this.name, message: this.message, ...Object.fromEntries(details) };
  }
}

/** Appends a note to the message of an error and to its stack, which starts with the message. */
export function addNote(error: BillingError, note: string): void {
  const { message, stack } = error;
  error.message = `${message} (${note})`;
  if (stack !== undefined) error.stack = stack.replace(message, () => error.message);
}

/** Returns whether a value is an error of one class, thrown by any installed copy of this package. */
export type ErrorGuard<Kind extends BillingError> = (value: unknown) => value is Kind;

/** Creates the type guard of an error class. */
export function guardOf<Kind extends BillingError>(name: Kind["name"]): ErrorGuard<Kind> {
  return (value): value is Kind => isBillingError(value) && value.name === name;
}

/** Returns whether a value is an error thrown by any installed copy of this package. */
export function isBillingError(value: unknown): value is BillingError {
  return value instanceof Error && (value as { [brand]?: unknown })[brand] === true;
}
