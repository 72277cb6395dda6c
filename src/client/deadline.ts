import { AbortedError, isAbortedError, isTimeoutError, TimeoutError } from "../errors/index.ts";

/** Ends one attempt when its timeout expires or the caller's signal aborts, whichever comes first. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #expired: Promise<never>;
  #missing?: string;
  /** Clears the timer and stops listening to the caller's signal. */
  readonly end: () => void;

  constructor(timeout: number, caller: AbortSignal | undefined, operation: string) {
    throwIfAborted(caller, operation);
    const { promise, reject: expire } = Promise.withResolvers<never>();
    this.#expired = promise;
    promise.catch(() => this.abandon());
    const timer = setTimeout(() => {
      expire(new TimeoutError(`${operation}: no ${this.#missing} within ${timeout} ms`, { operation, timeout }));
    }, timeout);
    const onAbort = (): void => expire(aborted(caller, operation));
    caller?.addEventListener("abort", onAbort, { once: true });
    this.end = () => {
      clearTimeout(timer);
      caller?.removeEventListener("abort", onAbort);
    };
  }

  /** The signal that cancels the pending work of the attempt. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Waits for one step of the attempt until the deadline, even if the step ignores the signal. The error names its result. */
  race<Value>(step: Promise<Value>, result = "complete response"): Promise<Value> {
    this.#missing = result;
    return Promise.race([this.#expired, step]);
  }

  /** Cancels pending work, for example an unread body. */
  abandon(): void {
    this.end();
    this.#controller.abort();
  }
}

function throwIfAborted(signal: AbortSignal | undefined, operation: string): void {
  if (signal?.aborted === true) throw aborted(signal, operation);
}

/**
 * Waits for a number of milliseconds. Rejects at once when the caller's signal aborts. No delay needs no timer, so that it
 * ends under fake timers as well. Unless `isRef`, the timer does not keep the process running.
 */
export async function wait(
  delay: number,
  signal: AbortSignal | undefined,
  operation: string,
  isRef = true,
): Promise<void> {
  throwIfAborted(signal, operation);
  if (delay === 0) return;
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(aborted(signal, operation));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", onAbort);
      resolve();
    }, delay);
    if (!isRef) unref(timer);
    signal?.addEventListener("abort", onAbort, { once: true });
  });
}

/** Lets the process end although a timer is running. In browsers, a timer is a number. */
export function unref(timer: ReturnType<typeof setTimeout>): void {
  (timer as { unref?(): void }).unref?.();
}

/** Runs a function. Rejects if its result takes longer than a number of milliseconds, whatever it still does. */
export function within<Result>(ms: number, run: () => Result, late: () => Error): Promise<Awaited<Result>> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(late()), ms);
    const result = Promise.resolve().then(run) as Promise<Awaited<Result>>;
    result.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/** Creates the error for an aborted signal. The reason of `AbortSignal.timeout()` is named `TimeoutError`, also through `any()`. */
function aborted(signal: AbortSignal | undefined, operation: string): AbortedError | TimeoutError {
  const cause: unknown = signal?.reason;
  if ((cause as Error | undefined)?.name !== "TimeoutError") {
    return new AbortedError(`${operation}: aborted by its signal`, { operation, cause });
  }
  const message = `${operation}: its signal timed out`;
  return new TimeoutError(message, { operation, timeout: undefined, cause });
}

/** Returns whether the caller's signal caused an error. */
export function isFromSignal(error: unknown): boolean {
  return isAbortedError(error) || (isTimeoutError(error) && error.timeout === undefined);
}
