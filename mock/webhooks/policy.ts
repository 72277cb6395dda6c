import { SIGNATURE_LABEL, WEBHOOK_HEADERS } from "../../src/webhooks/index.ts";
import { amount, from, integerFrom, oneOf, orNull, text, texts } from "../options/field-kinds.ts";
import type { PolicyFields } from "../options/policy-fields.ts";
import { IdGenerator } from "../state/ids.ts";
import type { RecordPolicy } from "../state/record-policy.ts";
import type { StoredWebhookEndpoint } from "../state/records.ts";
import type { State } from "../state/state.ts";
import { MAX_DELAY } from "../time/timers.ts";

/** Settings for signing deliveries (G-SIGN). */
export interface SignaturePolicy {
  /** Name of the header with the event's id. */
  readonly idHeader: string;
  /** Name of the header with the time of the attempt, in seconds since 1970. */
  readonly timestampHeader: string;
  readonly signatureHeader: string;
  /** The label before the signature. */
  readonly label: string;
}

/** Settings for retrying failed deliveries (G-RETRY). The delay doubles after each failure. */
export interface RetryPolicy {
  /** Maximum number of attempts for an event. From 1 to 1,000, so that retries end. */
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

/** Assumptions about deliveries. */
export interface DeliveryPolicy {
  /** G-WHE-URL: names of hosts that deliveries may go to in addition to this machine. Empty by default. */
  readonly deliverTo: readonly string[];
  /** G-SIGN: the headers that sign a delivery, and the label before the signature. */
  readonly signature: SignaturePolicy;
  /** G-RETRY: the number of attempts, the timeout of an attempt, and the delays after failures. */
  readonly retry: RetryPolicy;
  /** G-DISABLE: the number of consecutive failed events after which an endpoint is disabled; null for never. */
  readonly disableAfter: number | null;
  /** G-REMOVED: deliveries to an endpoint whose version was removed by a release. */
  readonly removedVersions: "keep-delivering" | "stop";
}

/** Assumptions about webhooks: about deliveries, and about the secrets that sign them. */
export interface WebhookPolicy extends DeliveryPolicy, Pick<RecordPolicy, "secretPrefix"> {}

export const webhookDefaults: DeliveryPolicy = {
  deliverTo: [],
  signature: {
    idHeader: WEBHOOK_HEADERS.id,
    timestampHeader: WEBHOOK_HEADERS.timestamp,
    signatureHeader: WEBHOOK_HEADERS.signature,
    label: SIGNATURE_LABEL,
  },
  retry: { attempts: 10, timeoutMs: 10_000, firstDelayMs: 2_000, maxDelayMs: 20 * 60_000, jitter: 0.5 },
  disableAfter: 10,
  removedVersions: "keep-delivering",
};

const delay = from(0, MAX_DELAY);

export const webhookFields: PolicyFields<DeliveryPolicy> = {
  deliverTo: texts,
  signature: { group: { idHeader: text, timestampHeader: text, signatureHeader: text, label: text } },
  retry: {
    group: {
      attempts: integerFrom(1, 1_000),
      timeoutMs: amount,
      firstDelayMs: delay,
      maxDelayMs: delay,
      jitter: from(0, 1),
    },
  },
  disableAfter: orNull(amount),
  removedVersions: oneOf("keep-delivering", "stop"),
};

/** Whether an endpoint receives events of a version (DEL-1, G-REMOVED). */
export function isSubscribed(
  endpoint: StoredWebhookEndpoint,
  version: string,
  { versions }: State,
  { removedVersions }: DeliveryPolicy,
): boolean {
  return endpoint.enabled && (removedVersions === "keep-delivering" || !versions.removed.has(version));
}

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
function hashOf(characters: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < characters.length; i++) hash = Math.imul(hash ^ characters.charCodeAt(i), 0x01000193);
  return hash;
}
