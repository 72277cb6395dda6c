/**
 * Names of the headers of a delivery. `webhook-api-version` comes from the specification (section 6), the others from
 * Standard Webhooks (G-SIGN).
 */
export const WEBHOOK_HEADERS = {
  /** The event's id. It is the same in every attempt and redelivery, so that a receiver can detect duplicates. */
  id: "webhook-id",
  /** The time when the attempt was signed, in seconds since 1970. */
  timestamp: "webhook-timestamp",
  /** The signature: `v1,` and the base64 of the HMAC. Several signatures are separated by spaces. */
  signature: "webhook-signature",
  /** The API version of the payload. */
  version: "webhook-api-version",
} as const;
