import { BillingError, type BillingErrorOptions, type ErrorGuard, guardOf } from "./billing-error.ts";
import type { Mismatch } from "./call-errors.ts";

/**
 * The reason why a delivery was rejected.
 *
 * - `body-missing`: the call passed no body.
 * - `body-parsed`: the body is an object, because a body parser ran first.
 * - `body-consumed`: something else read the body first.
 * - `body-unreadable`: the body's stream failed or took longer than `timeout` (2 minutes).
 * - `body-too-large`: the body is longer than `maxBodyBytes`.
 * - `header-missing`: a signature header is missing.
 * - `header-malformed`: `webhook-timestamp` is not a number.
 * - `timestamp-too-old`, `timestamp-too-new`: the time of signing is outside `tolerance`.
 * - `signature-mismatch`: no signature matches a secret, for example because the body was parsed and serialized again.
 * - `invalid-data`: your schema rejects the event's data. `mismatches` lists the problems.
 */
export type WebhookVerificationReason =
  | "body-missing"
  | "body-parsed"
  | "body-consumed"
  | "body-unreadable"
  | "body-too-large"
  | "header-missing"
  | "header-malformed"
  | "timestamp-too-old"
  | "timestamp-too-new"
  | "signature-mismatch"
  | "invalid-data";

/**
 * A webhook delivery was rejected. The message names the usual cause; it never contains a secret.
 *
 * @remarks Respond with an error status, as `createWebhookHandler` does, and check `reason`. For `signature-mismatch`, check the
 * secret; for this reason and for `body-parsed`, verify before a body parser runs.
 */
export class WebhookVerificationError extends BillingError {
  override readonly name = "WebhookVerificationError";
  /** The reason, for programs. */
  readonly reason: WebhookVerificationReason;
  /** The mismatches that your schema found; empty for every other reason. */
  readonly mismatches: readonly Mismatch[];

  constructor(
    reason: WebhookVerificationReason,
    message: string,
    options: BillingErrorOptions & { readonly mismatches?: readonly Mismatch[] } = {},
  ) {
    super(message, options);
    this.reason = reason;
    this.mismatches = options.mismatches ?? [];
  }
}

/** Returns whether a value is a {@link WebhookVerificationError} thrown by any installed copy of the package. */
export const isWebhookVerificationError: ErrorGuard<WebhookVerificationError> =
  /* @__PURE__ */ guardOf("WebhookVerificationError");
