import { deferred } from "../../src/values/wait.ts";

/** The longest delay of a timer, in milliseconds. Longer delays are cut to it. */
export const MAX_DELAY = 2 ** 31 - 1;

/**
 * Calls a function after a delay. The timer never keeps a process alive, and fake timers control it, because
 * `setTimeout` is looked up when the timer is set.
 *
 * @returns A function that cancels the call.
 */
export function schedule(milliseconds: number, call: () => void): () => void {
  const timer: ReturnType<typeof setTimeout> | number = globalThis.setTimeout(call, Math.min(milliseconds, MAX_DELAY));
  (timer as { unref?: () => void }).unref?.();
  return () => globalThis.clearTimeout(timer);
}

/** Waits, and keeps the process alive meanwhile. Rejects with the reason of the first signal that aborts. */
export function sleep(milliseconds: number, ...signals: readonly AbortSignal[]): Promise<void> {
  const { promise, resolve } = deferred<void>();
  const timer = globalThis.setTimeout(resolve, Math.min(milliseconds, MAX_DELAY));
  return orAbort(promise, ...signals).finally(() => globalThis.clearTimeout(timer));
}

/** Returns a promise that rejects with the reason of the first signal that aborts, and never settles otherwise. */
export function rejectOnAbort(...signals: readonly AbortSignal[]): Promise<never> {
  return orAbort(new Promise<never>(() => {}), ...signals);
}

/** Waits for a result, and rejects with the reason of the first signal that aborts before it. */
export async function orAbort<Result>(
  result: Result | Promise<Result>,
  ...signals: readonly AbortSignal[]
): Promise<Result> {
  const { promise, reject } = deferred<never>();
  const abort = () => reject(signals.find(({ aborted }) => aborted)?.reason);
  if (signals.some(({ aborted }) => aborted)) abort();
  for (const signal of signals) signal.addEventListener("abort", abort);
  try {
    return await Promise.race([promise, result]);
  } finally {
    for (const signal of signals) signal.removeEventListener("abort", abort);
  }
}

/** Lets everything else that is ready run before the caller continues. Fake timers control no `MessageChannel`. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(undefined);
  });
}

/**
 * Keeps the process alive while something waits for timers that do not do so themselves. A listening port keeps it
 * alive, because a timer would get in the way of a test's fake timers.
 *
 * @param held An object that is not garbage meanwhile.
 * @returns A function that lets the process end.
 */
export function keepProcessAlive(held?: object): () => void {
  const { port1 } = new MessageChannel();
  port1.onmessage = () => held;
  return () => port1.close();
}
