import { amount, from, integerFrom } from "../options/field-kinds.ts";
import type { GroupKind } from "../options/policy-fields.ts";
import { IdGenerator } from "../state/id-generator.ts";
import { MAX_DELAY } from "../time/schedule.ts";

/** Settings for retrying failed deliveries (G-RETRY). The delay doubles after each failure. */
export interface RetryPolicy {
  /** Maximum number of attempts for an event, and again for each redelivery. From 1 to 1,000, so that retries end. */
  readonly attempts: number;
  /** Timeout of an attempt in milliseconds, including the response body. */
  readonly timeoutMs: number;
  /** Delay after the first failure, in milliseconds. At most 2,147,483,647 (24.8 days), as for `setTimeout`. */
  readonly firstDelayMs: number;
  /** Longest delay, in milliseconds. At most 2,147,483,647. */
  readonly maxDelayMs: number;
  /** The part of the delay, from 0 to 1, by which it may be shortened at random. */
  readonly jitter: number;
}

/** The default retry policy: 10 attempts, with delays from 2 seconds to 20 minutes. */
export const retryDefaults: RetryPolicy = {
  attempts: 10,
  timeoutMs: 10_000,
  firstDelayMs: 2_000,
  maxDelayMs: 20 * 60_000,
  jitter: 0.5,
};

const delay = from(0, MAX_DELAY);

/** The valid values of a retry policy. */
export const retryFields: GroupKind<RetryPolicy>["group"] = {
  attempts: integerFrom(1, 1_000),
  timeoutMs: amount,
  firstDelayMs: delay,
  maxDelayMs: delay,
  jitter: from(0, 1),
};

/**
 * Returns the delay before the next attempt in milliseconds. The jitter depends only on the event's id and the number
 * of failures, so the same seed gives the same delays whatever else is delivered meanwhile.
 *
 * @param failed The number of failed attempts since the event was created or redelivered.
 */
export function waitAfter(failed: number, eventId: string, retry: RetryPolicy): number {
  const wait = Math.min(retry.firstDelayMs * 2 ** (failed - 1), retry.maxDelayMs);
  return Math.round(wait * (1 - retry.jitter * new IdGenerator(hashOf(`${eventId}:${failed}`)).fraction()));
}

/** Returns an integer that depends on every character of a string (FNV-1a). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}
