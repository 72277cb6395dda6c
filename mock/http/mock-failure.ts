import type { Reply } from "./reply.ts";

const MAX_MESSAGE = 500;
const MAX_STACK = 2_000;

/** Returns the response to a request on which the mock itself failed. */
export function mockFailure(error: unknown): Reply {
  return { status: 500, body: { error: "MockFailure", detail: textOf(error, "message").slice(0, MAX_MESSAGE) } };
}

/** Prints on the console (on stderr, where there is one) on which request the mock failed, and why. */
export function reportFailure(
  error: unknown,
  { method, path }: { readonly method: string; readonly path: string },
): void {
  print(`The mock failed on ${method} ${path} and responded with 500.`, error);
}

/** Prints on the console why the mock failed to process a delivery. */
export function reportDeliveryFailure(error: unknown): void {
  print("The mock failed to process a webhook delivery.", error);
}

function print(what: string, error: unknown): void {
  // biome-ignore lint/suspicious/noConsole: the mock has no other way to reach the person who runs it.
  console.error(`${what} ${textOf(error, "stack").slice(0, MAX_STACK)}`);
}

/** Returns the text of anything that was thrown, even when it cannot be converted to a string. */
function textOf(error: unknown, part: "message" | "stack"): string {
  try {
    return String(error instanceof Error ? (error[part] ?? error.message) : error);
  } catch {
    return `A value of type ${typeof error} was thrown.`;
  }
}
