/**
 * Gives an error the stack of the moment, where the engine can: one that a timer or a signal made has no caller on its
 * stack, and one that was made deep inside has no room left for it.
 */
export function callerStack<Thrown>(error: Thrown): Thrown {
  if (error instanceof Error) Error.captureStackTrace?.(error, callerStack);
  return error;
}
