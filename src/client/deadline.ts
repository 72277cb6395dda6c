import { isAbortedError, isTimeoutError, TimeoutError } from "../errors/index.ts";
import { signalErrorOf } from "../errors/signal-error.ts";

/** Ends one attempt when its timeout expires or the caller's signal aborts, whichever comes first. */
export class Deadline {
  readonly #controller = new AbortController();
  readonly #expired: Promise<never>;
  #missing?: string;
  /** Clears the timer and stops listening to the caller's signal. */
  readonly end: () => void;

  constructor(timeout: number, caller: AbortSignal | undefined, operation: string) {
    if (caller?.aborted) throw signalErrorOf(caller, operation);
    const { promise, reject: expire } = Promise.withResolvers<never>();
    this.#expired = promise;
    promise.catch(() => this.abandon());
    const timer = setTimeout(() => {
      expire(new TimeoutError(`${operation}: no ${this.#missing} within ${timeout} ms`, { operation, timeout }));
    }, timeout);
    const onAbort = (): void => expire(signalErrorOf(caller, operation));
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

/** Returns whether the caller's signal caused an error. */
export function isFromSignal(error: unknown): boolean {
  return isAbortedError(error) || (isTimeoutError(error) && error.timeout === undefined);
}
