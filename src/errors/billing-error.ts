const brand: unique symbol = Symbol.for("@billing-service/sdk/error") as never;

/** What every error of the package is made with. */
export interface BillingErrorOptions {
  /** The failure behind this one. */
  readonly cause?: unknown;
  /** The operation's identifier, or `METHOD path` for `client.request`. */
  readonly operation?: string | undefined;
}

/** The base of every error that the package throws on purpose. None of them holds a credential. */
export abstract class BillingError extends Error {
  /** Tells the errors apart, also where two copies of the package are loaded. */
  abstract override readonly name: string;

  /** The operation's identifier, for example `events:ingest`; undefined where no call was made. */
  readonly operation: string | undefined;

  constructor(message: string, options: BillingErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.operation = options.operation;
  }

  /** Marks the errors of every copy of the package; on the prototype, so that it is not printed. */
  get [brand](): true {
    return true;
  }

  /** What a log keeps of the error: its name, its message and its own facts, without headers, bodies or causes. */
  toJSON(): Record<string, unknown> {
    return { name: this.name, message: this.message, operation: this.operation };
  }
}

/** Adds to a message what became clear only after the error was made. The stack begins with the message. */
export function addNote(error: BillingError, note: string): void {
  const { message, stack } = error;
  error.message = `${message} (${note})`;
  if (stack !== undefined) error.stack = stack.replace(message, () => error.message);
}

/** Whether a value is an error of this package, from any copy of it. */
export function isBillingError(value: unknown): value is BillingError {
  return value instanceof Error && (value as { [brand]?: unknown })[brand] === true;
}
