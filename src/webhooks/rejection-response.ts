import { VersionMismatchError } from "../errors/mismatch-error.ts";
import { WebhookVerificationError, type WebhookVerificationReason } from "../errors/webhook-verification-error.ts";

/** The statuses of the reasons. Every other reason is 400: the delivery cannot be read. */
const STATUSES: Partial<Record<WebhookVerificationReason, number>> = {
  "body-too-large": 413,
  "timestamp-too-old": 401,
  "timestamp-too-new": 401,
  "signature-mismatch": 401,
  "body-changed": 401,
  "invalid-data": 500,
};

/** Returns the response to a delivery that was not handled. */
export function problemResponse(
  status: number,
  error: string,
  detail: string,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return Response.json({ error, detail }, { status, headers });
}

/** Returns the response to a delivery that failed with an error. An error of your own code is not shown to the sender. */
export function rejectionResponse(error: unknown): Response {
  if (error instanceof VersionMismatchError) return problemResponse(400, "version-mismatch", error.message);
  if (!(error instanceof WebhookVerificationError)) {
    return problemResponse(500, "internal-error", "The receiver failed; see onError.");
  }
  return problemResponse(STATUSES[error.reason] ?? 400, error.reason, error.message);
}
