import { schedule } from "../time/schedule.ts";
import { rejectOnAbort } from "../time/sleep.ts";
import type { WebhookHandler } from "./webhook-handler.ts";

/** The content of an attempt. */
export interface DeliveryContent {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The limits of an attempt. */
export interface DeliveryLimit {
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The `fetch` of the platform, taken before a test or an interceptor can replace it. */
const originalFetch: typeof fetch = globalThis.fetch;

/** Sends a request over the network. */
export const fetchOverNetwork: WebhookHandler = (request) => originalFetch(request);

/**
 * Posts a delivery to a handler and reads its response, all within the limits. Does not follow redirects.
 *
 * @throws what the handler throws, the reason of the signal, or a TypeError after the timeout.
 */
export async function postDelivery<Result>(
  { url, headers, body }: DeliveryContent,
  handler: WebhookHandler,
  limit: DeliveryLimit,
  read: (response: Response) => Promise<Result>,
): Promise<Result> {
  limit.signal.throwIfAborted();
  const { signal, end } = limitedSignal(limit);
  try {
    const request = new Request(url, { method: "POST", headers, body, redirect: "manual", signal });
    const result = Promise.resolve(request).then(handler).then(requireResponse).then(read);
    return await Promise.race([result, rejectOnAbort(signal)]);
  } finally {
    end();
  }
}

/** Returns a signal that aborts after the timeout, or together with the given one. */
function limitedSignal({ timeoutMs, signal }: DeliveryLimit): {
  readonly signal: AbortSignal;
  readonly end: () => void;
} {
  const controller = new AbortController();
  const follow = (): void => controller.abort(signal.reason);
  const cancel = schedule(timeoutMs, () => {
    controller.abort(new TypeError(`The receiver did not finish its response within ${timeoutMs} ms.`));
  });
  signal.addEventListener("abort", follow, { once: true });
  return {
    signal: controller.signal,
    end: () => {
      cancel();
      signal.removeEventListener("abort", follow);
    },
  };
}

/** Checks what a handler returned: as a user's function, it may return something else. */
function requireResponse(value: unknown): Response {
  if (typeof value === "object" && value !== null && "status" in value) return value as Response;
  throw new TypeError("The handler did not return a Response.");
}
