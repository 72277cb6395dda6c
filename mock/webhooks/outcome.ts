import { beginningOf } from "./response-body.ts";
import type { Delivery } from "./webhooks.ts";

/** What came of an attempt. */
export type Outcome = Pick<Delivery, "status" | "response_status" | "response_body" | "error">;

/** Reads what a receiver answered: 2xx is a success, everything else a failure, a redirect too (G-RETRY). */
export async function outcomeOf(response: Response): Promise<Outcome> {
  const redirected = response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400);
  return {
    status: response.status >= 200 && response.status < 300 ? "succeeded" : "failed",
    response_status: response.status === 0 ? null : response.status,
    response_body: await beginningOf(response),
    error: redirected ? "A redirect is a failure: it is not followed." : null,
  };
}

/** An attempt that got no whole answer. */
export function failure(error: unknown): Outcome {
  return { status: "failed", response_status: null, response_body: null, error: described(error) };
}

/** The message of an error, and that of its cause, where `fetch` keeps what really happened. */
function described(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause as { readonly message?: string; readonly code?: string } | undefined;
  const detail = cause?.message || cause?.code;
  return detail ? `${error.message}: ${detail}` : error.message;
}
