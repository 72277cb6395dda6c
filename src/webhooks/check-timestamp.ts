import { WebhookVerificationError, type WebhookVerificationReason } from "../errors/webhook-verification-error.ts";
import type { VerifySettings } from "./verify-settings.ts";

/**
 * Checks that a delivery was signed recently, so that an old one cannot be sent again.
 *
 * @param timestamp The time of signing, in seconds since 1970.
 * @throws {@link WebhookVerificationError} unless it is within the tolerance, in both directions.
 */
export function checkTimestamp(timestamp: string, { now, tolerance }: VerifySettings): void {
  const age = Math.floor(Number(now()) / 1000) - Number(timestamp);
  if (age > tolerance) throw outside("timestamp-too-old", age, "ago", "fast, or the request is old", tolerance);
  if (!(age >= -tolerance)) throw outside("timestamp-too-new", -age, "in the future", "slow", tolerance);
}

function outside(
  reason: WebhookVerificationReason,
  seconds: number,
  when: string,
  cause: string,
  tolerance: number,
): WebhookVerificationError {
  const problem = `The delivery was signed ${seconds} s ${when}; the tolerance is ${tolerance} s.`;
  return new WebhookVerificationError(reason, `${problem} Usual cause: this machine's clock is ${seconds} s ${cause}.`);
}
