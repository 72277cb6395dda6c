/**
 * Replaces the stack of an error with the current one, where the engine supports it. The stack of an error from a timer, a
 * signal or deep inside the client does not include the caller.
 */
export function callerStack<Thrown>(error: Thrown): Thrown {
  if (error instanceof Error) Error.captureStackTrace?.(error, callerStack);
  return error;
}
