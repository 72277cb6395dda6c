import type { Deadline } from "./deadline.ts";
import type { Attempt, CallEnd, Outcome } from "./options.ts";
import type { Settings } from "./read-options.ts";

/** Carries what a hook threw out of the attempts, so that it is never taken for a failure of the request and retried. */
export class HookFailure {
  readonly reason: unknown;

  constructor(reason: unknown) {
    this.reason = reason;
  }
}

/** Calls a hook and waits for it, but no longer than the deadline. */
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

/** Tells the logger and the hook how an attempt ended. */
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

/** Tells the hook how a call ended. */
export function reportCall(settings: Settings, end: () => CallEnd): void {
  const { hooks } = settings;
  if (hooks.onCallEnd !== undefined) observe(settings, () => hooks.onCallEnd?.(end()));
}

/** Nobody waits for a hook that observes, and what it throws changes nothing but the log. */
function observe({ logger }: Settings, hook: () => void | Promise<void>): void {
  const failed = (error: unknown): void => logger.warn?.(`a hook failed: ${String(asError(error))}`, {});
  try {
    Promise.resolve(hook()).catch(failed);
  } catch (error) {
    failed(error);
  }
}

/** What a hook threw may be no Error; the hooks that observe get one in any case. */
export function asError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(`a hook threw a ${typeof reason}`, { cause: reason });
}
