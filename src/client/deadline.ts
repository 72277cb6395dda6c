import { AbortedError, type BillingError, isAbortedError, isTimeoutError, TimeoutError } from "../errors/index.ts";

/** Ends one attempt when its time is over or when the caller's signal aborts, whichever comes first. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #caller: AbortSignal | undefined;
  readonly #operation: string;
  #reject: ((error: BillingError) => void) | undefined;
  #error: BillingError | undefined;

  constructor(timeout: number, caller: AbortSignal | undefined, operation: string) {
    this.#operation = operation;
    this.#caller = caller;
    throwIfAborted(caller, operation);
    this.#timer = setTimeout(() => this.#expire(timedOut(timeout, operation)), timeout);
    caller?.addEventListener("abort", this.#onAbort, { once: true });
  }

  /** Aborts what the attempt has under way. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Waits for one step of the attempt, but no longer than the deadline, even where the step ignores the signal. */
  race<Value>(step: Promise<Value>): Promise<Value> {
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      step.then(resolve, reject);
      if (this.#error !== undefined) reject(this.#error);
    });
  }

  /** Lets go of the timer and of the caller's signal. */
  end(): void {
    clearTimeout(this.#timer);
    this.#caller?.removeEventListener("abort", this.#onAbort);
  }

  /** Drops what is still under way, for example a body that nobody reads. */
  abandon(): void {
    this.end();
    this.#controller.abort();
  }

  readonly #onAbort = (): void => this.#expire(aborted(this.#caller, this.#operation));

  #expire(error: BillingError): void {
    this.#error = error;
    this.#reject?.(error);
    this.abandon();
  }
}

function throwIfAborted(signal: AbortSignal | undefined, operation: string): void {
  if (signal?.aborted === true) throw aborted(signal, operation);
}

/** Waits, in milliseconds; ends at once when the caller's signal aborts. */
export function wait(delay: number, signal: AbortSignal | undefined, operation: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(aborted(signal, operation));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, delay);
    if (signal?.aborted === true) return onAbort();
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** The error of a signal that aborted: `AbortSignal.timeout()` gives a reason of that name, also through `any()`. */
function aborted(signal: AbortSignal | undefined, operation: string): AbortedError | TimeoutError {
  const cause: unknown = signal?.reason;
  if (!(cause instanceof Error) || cause.name !== "TimeoutError") {
    return new AbortedError(`${operation}: aborted by the caller`, { operation, cause });
  }
  const message = `${operation}: the time of the caller's signal is over`;
  return new TimeoutError(message, { operation, timeout: undefined, cause });
}

/** Whether the caller's signal made an error. */
export function isFromSignal(error: unknown): boolean {
  return isAbortedError(error) || (isTimeoutError(error) && error.timeout === undefined);
}

function timedOut(timeout: number, operation: string): TimeoutError {
  const cause = new DOMException(`no complete answer within ${timeout} ms`, "TimeoutError");
  return new TimeoutError(`${operation}: no complete answer within ${timeout} ms`, { operation, timeout, cause });
}
