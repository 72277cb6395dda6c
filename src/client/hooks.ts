import type { Deadline } from "./deadline.ts";
import type { Attempt, CallEnd, Outcome } from "./options.ts";
import type { Settings } from "./read-options.ts";

/** Wraps the error of a hook, so that it is not mistaken for a failed request and retried. */
export class HookFailure {
  readonly reason: unknown;

  constructor(reason: unknown) {
    this.reason = reason;
  }
}

/** Calls a hook and waits for it until the deadline. */
export function callHook(hook: () => void | Promise<void>, deadline: Deadline): Promise<void> {
  return deadline.race(guard(hook));
}

async function guard(hook: () => void | Promise<void>): Promise<void> {
  try {
    await hook();
  } catch (reason) {
    throw new HookFailure(reason);
  }
}

/** Reports the end of an attempt to the logger and the hook. */
export function reportAttempt(settings: Settings, attempt: Attempt, outcome: Outcome): void {
  const { logger, hooks } = settings;
  const { status, duration, error } = outcome;
  logger.debug?.(status === undefined ? (error?.message ?? "") : `${attempt.operation}: ${status}`, {
    ...attempt,
    status,
    duration,
  });
  if (hooks.onAttemptEnd !== undefined) observe(settings, () => hooks.onAttemptEnd?.({ ...attempt, ...outcome }));
}

/** Reports the end of a call to the hook. */
export function reportCall(settings: Settings, end: () => CallEnd): void {
  const { hooks } = settings;
  if (hooks.onCallEnd !== undefined) observe(settings, () => hooks.onCallEnd?.(end()));
}

/** Calls an observing hook without waiting for it. Its errors are logged. */
function observe({ logger }: Settings, hook: () => void | Promise<void>): void {
  const failed = (error: unknown): void => logger.warn?.(`a hook failed: ${String(asError(error))}`, {});
  try {
    Promise.resolve(hook()).catch(failed);
  } catch (error) {
    failed(error);
  }
}

/** Converts a thrown value to an Error for the observing hooks. */
export function asError(reason: unknown): Error {
  return reason instanceof Error
    ? reason
    : new Error(`a hook threw a value of type ${typeof reason}`, { cause: reason });
}
