/** The longest that a timer can wait, in milliseconds. */
const LONGEST = 2 ** 31 - 1;

/**
 * Calls a function later. The timer is looked up when it is set, so that a test's fake timers control it, and it never
 * keeps a process alive.
 *
 * @returns A function that cancels the call.
 */
export function later(milliseconds: number, call: () => void): () => void {
  const timer: ReturnType<typeof setTimeout> | number = globalThis.setTimeout(call, Math.min(milliseconds, LONGEST));
  (timer as { unref?: () => void }).unref?.();
  return () => globalThis.clearTimeout(timer);
}

/** Waits, without keeping a process alive; rejects with the reason of the signal as soon as it is aborted. */
export function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) return reject(signal.reason);
    const abort = (): void => {
      cancel();
      reject(signal.reason);
    };
    const cancel = later(milliseconds, () => {
      signal.removeEventListener("abort", abort);
      resolve();
    });
    signal.addEventListener("abort", abort, { once: true });
  });
}
