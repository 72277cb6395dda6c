import type { Exchange, Reply } from "./exchange.ts";

const MAX_MESSAGE = 500;
const MAX_STACK = 2_000;

/** The answer to a request that the mock itself failed on. */
export function failureReply(error: unknown): Reply {
  return { status: 500, body: { error: "MockFailure", detail: messageOf(error).slice(0, MAX_MESSAGE) } };
}

/** Says on the console (stderr, where there is one) which request failed, and why. */
export function report(error: unknown, { method, path }: Exchange): void {
  const detail = error instanceof Error ? (error.stack ?? messageOf(error)) : messageOf(error);
  // biome-ignore lint/suspicious/noConsole: the mock has no other place to tell whoever runs it.
  console.error(`The mock failed on ${method} ${path} and answered 500. ${detail.slice(0, MAX_STACK)}`);
}

/** Anything can be thrown, also what cannot be made a string. */
function messageOf(error: unknown): string {
  try {
    return error instanceof Error ? String(error.message) : String(error);
  } catch {
    return `A value of type ${typeof error} was thrown.`;
  }
}
