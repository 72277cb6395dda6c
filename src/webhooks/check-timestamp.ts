import { WebhookVerificationError } from "../errors/webhook-verification-error.ts";
import type { VerifySettings } from "./verify-settings.ts";

/**
 * Checks that a delivery was signed recently, so that an old one cannot be sent again.
 *
 * @param timestamp The time of signing, in seconds since 1970.
 * @throws {@link WebhookVerificationError} unless it is within the tolerance, in both directions.
 */
export function checkTimestamp(timestamp: string, { now, tolerance }: VerifySettings): void {
  const age = Math.floor(Number(now()) / 1000) - Number(timestamp);
  if (age > tolerance) throw tooOld(age, tolerance);
  if (!(age >= -tolerance)) throw tooNew(-age, tolerance);
}

function tooOld(seconds: number, tolerance: number): WebhookVerificationError {
  return new WebhookVerificationError(
    "timestamp-too-old",
    `The delivery was signed ${seconds} s ago; the tolerance is ${tolerance} s. Usual causes: an old request was sent ` +
      `again, or the clock of this machine is ${seconds} s fast.`,
  );
}

function tooNew(seconds: number, tolerance: number): WebhookVerificationError {
  return new WebhookVerificationError(
    "timestamp-too-new",
    `The delivery was signed ${seconds} s in the future; the tolerance is ${tolerance} s. Usual cause: the clock of this ` +
      `machine is ${seconds} s slow.`,
  );
}
