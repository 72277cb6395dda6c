import type { Log } from "../../client/log.ts";

/** Calls a function of the user. Its error, or that of the promise that it returns, becomes a warning. */
export function callSafely<Args extends unknown[]>(
  log: Log,
  name: string,
  callback: ((...args: Args) => unknown) | undefined,
  ...args: Args
): void {
  const failed = (error: unknown): void => log.warn?.(`${name} failed: ${messageOf(error)}`, {});
  try {
    const result = callback?.(...args);
    if (result instanceof Promise) result.catch(failed);
  } catch (error) {
    failed(error);
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
