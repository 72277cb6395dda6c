import { addNote } from "../errors/billing-error.ts";
import { isAbortedError, isApiError, isBillingError, isTimeoutError } from "../errors/index.ts";
import { signalErrorOf } from "../errors/signal-error.ts";
import { asError } from "../values/describe.ts";
import { wait } from "../values/wait.ts";
import { callHook, makeAttempt, observe } from "./attempt.ts";
import { Deadline } from "./deadline.ts";
import type { AttemptFacts, CallFacts } from "./options.ts";
import type { Attempt, PreparedRequest } from "./request.ts";
import type { Answer } from "./response.ts";
import { decideRetry } from "./retry.ts";
import type { CallSettings, Settings } from "./settings.ts";
import { HookFailure } from "./transport.ts";

/** What a call sends, and its progress over its attempts. */
interface CallRun {
  readonly settings: Settings;
  readonly call: CallSettings;
  readonly request: PreparedRequest;
  readonly facts: CallFacts;
  /** The start of the call, on the clock of `performance.now()`. */
  readonly started: number;
  /** The number of attempts that were started. */
  attempts: number;
  /** The number of those that count against `maxRetries`. */
  retries: number;
  /** The last attempt; undefined before the first. */
  last?: Attempt;
  /** The reason why a transient failure was not retried. */
  reason?: string;
}

/** Makes attempts until one succeeds or the call must not be retried, and reports the outcome. */
export async function runCall(
  settings: Settings,
  call: CallSettings,
  request: PreparedRequest,
): Promise<Answer<unknown>> {
  const run: CallRun = {
    settings,
    call,
    request,
    facts: factsOf(request),
    started: performance.now(),
    attempts: 0,
    retries: 0,
  };
  try {
    const answer = await repeat(run);
    report(run);
    return answer;
  } catch (thrown) {
    const error: unknown = thrown instanceof HookFailure ? thrown.reason : explain(thrown, run);
    report(run, asError(error));
    throw error;
  }
}

let prefix: string | undefined;
let calls = 0;

/** Gives a call an identifier that is unique across processes. */
function factsOf({ operation, method, url }: PreparedRequest): CallFacts {
  prefix ??= Math.random().toString(36).slice(2, 12);
  calls += 1;
  return { callId: `${prefix}-${calls}`, operation, method, url };
}

function report({ settings, facts, attempts, started, last }: CallRun, error?: Error): void {
  const duration = performance.now() - started;
  observe(settings, "onCallEnd", { ...facts, attempts, duration, status: last?.status, error });
}

/** Adds the number of attempts and the reason for not retrying to an error, and the caller to its stack. */
function explain(error: unknown, { attempts, reason }: CallRun): unknown {
  if (!isBillingError(error)) return error;
  const notes: string[] = [];
  if (attempts > 1) notes.push(`after ${attempts} attempts`);
  if (reason) notes.push(`not retried${attempts > 1 ? " again" : ""}: ${reason}`);
  if (notes.length > 0) addNote(error, notes.join("; "));
  return isTimeoutError(error) || isAbortedError(error) ? callerStack(error) : error;
}

/**
 * Replaces the stack of an error with the current one, where the engine supports it. The stack of an error from a timer, a
 * signal or deep inside the client does not include the caller.
 */
export function callerStack<Thrown>(error: Thrown): Thrown {
  if (error instanceof Error) Error.captureStackTrace?.(error, callerStack);
  return error;
}

async function repeat(run: CallRun): Promise<Answer<unknown>> {
  for (;;) {
    const attempt = beginAttempt(run);
    try {
      return await makeAttempt(attempt);
    } catch (error) {
      const delay = nextDelay(run, error);
      if (delay === undefined) throw error;
      await pause(attempt, error as Error, delay);
    }
  }
}

function beginAttempt(run: CallRun): Attempt {
  const { settings, call, request, facts: ofCall, last } = run;
  // A retry of an attempt that waited for a new token in vain shares no renewal that has hung for long.
  const started = last?.renew && !last.status ? performance.now() : run.started;
  const deadline = new Deadline(call.timeout, call.signal, request.operation);
  run.attempts += 1;
  const facts: AttemptFacts = { ...ofCall, attemptId: `${ofCall.callId}.${run.attempts}`, attempt: run.attempts };
  run.last = { settings, call, request, facts, deadline, started, renew: last?.renew, tokens: last?.tokens ?? [] };
  return run.last;
}

/** Returns the delay before the next attempt, in milliseconds; undefined to stop. */
function nextDelay(run: CallRun, error: unknown): number | undefined {
  const { call, request, last } = run;
  if (!isBillingError(error) || call.signal?.aborted) return undefined;
  if (isApiError(error, 401) && typeof call.accessToken === "function" && last?.renew === undefined) {
    (last as Attempt).renew = true;
    return 0;
  }
  if (run.retries === call.maxRetries) return undefined;
  run.retries += 1;
  const decision = decideRetry(error, run.retries, request.idempotent);
  if (typeof decision !== "string") return decision;
  run.reason = decision;
  return undefined;
}

/** Reports a failed attempt and waits before the next one. */
async function pause(
  { settings: { hooks, logger }, call, request, facts }: Attempt,
  error: Error,
  delay: number,
): Promise<void> {
  const { operation } = request;
  logger.debug?.(`${error.message}; retrying in ${Math.round(delay)} ms`, { ...facts, delay });
  if (hooks.onRetry) {
    const deadline = new Deadline(call.timeout, call.signal, operation);
    await callHook(() => hooks.onRetry?.({ ...facts, error, delay }), deadline).finally(() => deadline.end());
  }
  await wait(delay, call.signal).catch(() => Promise.reject(signalErrorOf(call.signal, operation)));
}
