/** The parts of `process` of Node.js, Bun and Deno that are used here. */
interface Process {
  readonly pid: number;
  once(event: string, listener: () => void): unknown;
  removeListener(event: string, listener: () => void): unknown;
  listenerCount(event: string): number;
  kill(pid: number, signal: string): unknown;
}

const SIGNALS = ["SIGINT", "SIGTERM"];

/**
 * Closes a buffer when the process ends. A signal without other listeners then ends the process as it would have
 * without the buffer.
 *
 * @returns A function that removes the listeners.
 */
export function closeOnExit(close: () => Promise<unknown>): () => void {
  const { process } = globalThis as { readonly process?: Process };
  if (typeof process?.once !== "function") return () => {};
  const quietly = (): Promise<unknown> => close().catch(() => undefined);
  const listeners = SIGNALS.map(
    (signal) => [signal, () => void quietly().then(() => resend(process, signal))] as const,
  );
  const all = [["beforeExit", () => void quietly()] as const, ...listeners];
  for (const [event, listener] of all) process.once(event, listener);
  return () => {
    for (const [event, listener] of all) process.removeListener(event, listener);
  };
}

function resend(process: Process, signal: string): void {
  if (process.listenerCount(signal) === 0) process.kill(process.pid, signal);
}
