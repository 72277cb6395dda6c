import type { Attempt, CallFacts } from "./options.ts";

/** How far a call has come. */
export interface Progress {
  readonly call: CallFacts;
  /** When the call began, on the clock of `performance.now()`. */
  readonly started: number;
  /** How many attempts were begun. */
  attempts: number;
  /** How many of them were retries that `maxRetries` counts. */
  retries: number;
  /** The number of the attempt that asks for a new token; undefined while none did. */
  renewal: number | undefined;
  /** The token of the last attempt. */
  token: string;
  /** The status of the last answer. */
  status: number | undefined;
  /** Why a failure that may pass ended the call. */
  reason: string | undefined;
}

let prefix: string | undefined;
let calls = 0;

/** Begins a call: gives it an identifier that no other call has, in this process or another. */
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

/** Begins the next attempt of a call. */
export function beginAttempt(progress: Progress): Attempt {
  const { call } = progress;
  progress.attempts += 1;
  progress.status = undefined;
  return { ...call, attemptId: `${call.callId}.${progress.attempts}`, attempt: progress.attempts };
}
