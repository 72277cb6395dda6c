import type { Attempt, CallFacts } from "./options.ts";

/** The progress of a call over its attempts. */
export interface Progress {
  readonly call: CallFacts;
  /** The start of the call, on the clock of `performance.now()`. */
  readonly started: number;
  /** The number of attempts that were started. */
  attempts: number;
  /** The number of those that count against `maxRetries`. */
  retries: number;
  /** The number of the attempt that requests a new token; undefined while none has. */
  renewal: number | undefined;
  /** The token of the last attempt. */
  token: string;
  /** The status of the last response. */
  status: number | undefined;
  /** The reason why a transient failure was not retried. */
  reason: string | undefined;
}

let prefix: string | undefined;
let calls = 0;

/** Starts a call and gives it an identifier that is unique across processes. */
export function beginCall(facts: Omit<CallFacts, "callId">): Progress {
  const { operation, method, url } = facts;
  prefix ??= Math.random().toString(36).slice(2, 12);
  calls += 1;
  return {
    call: { callId: `${prefix}-${calls}`, operation, method, url },
    started: performance.now(),
    attempts: 0,
    retries: 0,
    renewal: undefined,
    token: "",
    status: undefined,
    reason: undefined,
  };
}

/** Starts the next attempt of a call. */
export function beginAttempt(progress: Progress): Attempt {
  const { call } = progress;
  progress.attempts += 1;
  progress.status = undefined;
  return { ...call, attemptId: `${call.callId}.${progress.attempts}`, attempt: progress.attempts };
}
