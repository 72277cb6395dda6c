import type { Delivery } from "../state/records.ts";
import { readBeginning } from "./read-beginning.ts";

/** The outcome of an attempt. */
export type DeliveryOutcome = Pick<Delivery, "status" | "response_status" | "response_body" | "error">;

/** Reads the outcome from a response: 2xx is a success, everything else a failure, including redirects (G-RETRY). */
export async function readOutcome(response: Response): Promise<DeliveryOutcome> {
  const isRedirect = response.type === "opaqueredirect" || (response.status >= 300 && response.status < 400);
  return {
    status: response.status >= 200 && response.status < 300 ? "succeeded" : "failed",
    response_status: response.status === 0 ? null : response.status,
    response_body: await readBeginning(response),
    error: isRedirect ? "Redirects are not followed; they count as failures." : null,
  };
}

/** Returns the outcome of an attempt without a complete response. */
export function failedOutcome(error: unknown): DeliveryOutcome {
  return { status: "failed", response_status: null, response_body: null, error: describeError(error) };
}

/** Returns the message of an error and of its cause, where `fetch` puts the details. */
function describeError(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause as { readonly message?: string; readonly code?: string } | undefined;
  const detail = cause?.message || cause?.code;
  return detail ? `${error.message}: ${detail}` : error.message;
}
