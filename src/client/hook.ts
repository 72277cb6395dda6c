import type { Deadline } from "./deadline.ts";

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
