import { AbortedError, TimeoutError } from "./call-errors.ts";

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
