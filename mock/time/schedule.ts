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
