import { isAbortedError, isBillingError, isTimeoutError } from "../errors/index.ts";
import { attempt, type Job } from "./attempt.ts";
import { retryDelay } from "./backoff.ts";
import type { Answer } from "./call.ts";
import { callerStack } from "./caller-stack.ts";
import { Deadline, wait } from "./deadline.ts";
import { callHook, HookFailure } from "./hook.ts";
import { debug } from "./log.ts";

/** Makes attempts until one succeeds or the call is not to be tried again. */
export async function withRetries(job: Job): Promise<Answer<unknown>> {
  try {
    return await repeat(job);
  } catch (error) {
    if (error instanceof HookFailure) throw error.reason;
    throw isTimeoutError(error) || isAbortedError(error) ? callerStack(error) : error;
  }
}

async function repeat(job: Job): Promise<Answer<unknown>> {
  const { call, exchange } = job;
  for (let number = 1; ; number++) {
    try {
      return await attempt(job, number);
    } catch (error) {
      const again = number <= call.maxRetries && isBillingError(error);
      const delay = again ? retryDelay(error, number, exchange.repeatable) : undefined;
      if (delay === undefined) throw error;
      await pause(job, number, error as Error, delay);
    }
  }
}

/** Reports a failed attempt and waits before the next. */
async function pause({ settings, call, exchange }: Job, attempt: number, error: Error, delay: number): Promise<void> {
  const { operation, method, url } = exchange;
  const facts = { operation, method, url, attempt };
  debug(settings.logger, `${error.message}; trying again in ${Math.round(delay)} ms`, { ...facts, delay });
  if (settings.hooks.onRetry !== undefined) {
    const deadline = new Deadline(call.timeout, call.signal, operation);
    const hook = () => settings.hooks.onRetry?.({ ...facts, error, delay });
    await callHook(hook, deadline).finally(() => deadline.end());
  }
  await wait(delay, call.signal, operation);
}
