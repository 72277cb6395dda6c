import { addNote } from "../errors/billing-error.ts";
import { isAbortedError, isApiError, isBillingError, isTimeoutError } from "../errors/index.ts";
import { attempt, type Job } from "./attempt.ts";
import type { Answer } from "./call.ts";
import { beginAttempt, beginCall, type Progress } from "./call-progress.ts";
import { callerStack } from "./caller-stack.ts";
import { Deadline, wait } from "./deadline.ts";
import { asError, callHook, HookFailure, reportCall } from "./hooks.ts";
import type { Attempt } from "./options.ts";
import { retryDelay } from "./retry.ts";

/** Makes attempts until one succeeds or the call must not be retried, and reports the outcome. */
export async function runCall(job: Job): Promise<Answer<unknown>> {
  const progress = beginCall(job.request);
  try {
    const answer = await repeat(job, progress);
    report(job, progress, undefined);
    return answer;
  } catch (thrown) {
    const error: unknown = thrown instanceof HookFailure ? thrown.reason : explain(thrown, progress);
    report(job, progress, asError(error));
    throw error;
  }
}

function report({ settings }: Job, { call, attempts, started, status }: Progress, error: Error | undefined): void {
  reportCall(settings, () => ({ ...call, attempts, duration: performance.now() - started, status, error }));
}

/** Adds the number of attempts and the reason for not retrying to an error, and the caller to its stack. */
function explain(error: unknown, { attempts, reason }: Progress): unknown {
  if (!isBillingError(error)) return error;
  const notes: string[] = [];
  if (attempts > 1) notes.push(`after ${attempts} attempts`);
  if (reason !== undefined) notes.push(`not retried${attempts > 1 ? " again" : ""}: ${reason}`);
  if (notes.length > 0) addNote(error, notes.join("; "));
  return isTimeoutError(error) || isAbortedError(error) ? callerStack(error) : error;
}

async function repeat(job: Job, progress: Progress): Promise<Answer<unknown>> {
  const { call, request } = job;
  for (;;) {
    const deadline = new Deadline(call.timeout, call.signal, request.operation);
    const facts = beginAttempt(progress);
    try {
      return await attempt(job, facts, progress, deadline);
    } catch (error) {
      const delay = nextDelay(job, progress, error);
      if (delay === undefined) throw error;
      await pause(job, facts, error as Error, delay);
    }
  }
}

/** Returns the delay before the next attempt, in milliseconds; undefined to stop. */
function nextDelay({ call, request }: Job, progress: Progress, error: unknown): number | undefined {
  if (!isBillingError(error) || call.signal?.aborted === true) return undefined;
  if (isApiError(error, 401) && typeof call.accessToken === "function" && progress.renewal === undefined) {
    progress.renewal = progress.attempts + 1;
    return 0;
  }
  if (progress.retries === call.maxRetries) return undefined;
  progress.retries += 1;
  const delay = retryDelay(error, progress.retries, request.repeatable);
  if (typeof delay !== "string") return delay;
  progress.reason = delay;
  return undefined;
}

/** Reports a failed attempt and waits before the next one. */
async function pause({ settings, call, request }: Job, attempt: Attempt, error: Error, delay: number): Promise<void> {
  const { operation } = request;
  settings.logger.debug?.(`${error.message}; retrying in ${Math.round(delay)} ms`, { ...attempt, delay });
  if (settings.hooks.onRetry !== undefined) {
    const deadline = new Deadline(call.timeout, call.signal, operation);
    const hook = () => settings.hooks.onRetry?.({ ...attempt, error, delay });
    await callHook(hook, deadline).finally(() => deadline.end());
  }
  await wait(delay, call.signal, operation);
}
