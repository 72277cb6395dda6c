import { schedule } from "../time/schedule.ts";
import { rejectOnAbort } from "../time/sleep.ts";
import type { WebhookHandler } from "./webhooks.ts";

/** What is sent to a receiver. */
export interface Message {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The fetch of the platform, taken before a test or an interceptor can put another in its place. */
const originalFetch: typeof fetch = globalThis.fetch;

/** Sends over the network. A redirect is not followed. */
export const overNetwork: WebhookHandler = (request) => originalFetch(request);

/**
 * Hands a message to a receiver and works with its answer, all within the time that an attempt may take.
 *
 * @throws whatever the receiver throws, the reason of the signal, or a TypeError when the time is over.
 */
export async function send<Result>(
  { url, headers, body }: Message,
  receiver: WebhookHandler,
  limit: { readonly timeoutMs: number; readonly signal: AbortSignal },
  read: (response: Response) => Promise<Result>,
): Promise<Result> {
  limit.signal.throwIfAborted();
  const { signal, end } = deadline(limit);
  try {
    const request = new Request(url, { method: "POST", headers, body, redirect: "manual", signal });
    return await Promise.race([
      Promise.resolve(request).then(receiver).then(responseOnly).then(read),
      rejectOnAbort(signal),
    ]);
  } finally {
    end();
  }
}

/** A signal that is aborted when the time is over, or together with another one. */
function deadline({ timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: AbortSignal }): {
  readonly signal: AbortSignal;
  readonly end: () => void;
} {
  const controller = new AbortController();
  const follow = (): void => controller.abort(signal.reason);
  const callOff = schedule(timeoutMs, () => {
    controller.abort(new TypeError(`The receiver did not finish its answer within ${timeoutMs} ms.`));
  });
  signal.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    end: () => {
      callOff();
      signal.removeEventListener("abort", follow);
    },
  };
}

/** A handler is a user's function: it may forget to return its answer. */
function responseOnly(answer: unknown): Response {
  if (typeof answer === "object" && answer !== null && "status" in answer) return answer as Response;
  throw new TypeError("The handler returned no Response.");
}
