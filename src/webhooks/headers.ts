/**
 * The headers of a delivery. `webhook-api-version` is the specification's (section 6); the others are those of Standard
 * Webhooks (G-SIGN).
 */
export const WEBHOOK_HEADERS = {
  /** The event; it is the same in every attempt and redelivery, so that a receiver can tell a repetition. */
  id: "webhook-id",
  /** When this attempt was signed, in seconds since 1970. */
  timestamp: "webhook-timestamp",
  /** The signature: `v1,` and the base64 of the HMAC; several are separated by spaces. */
  signature: "webhook-signature",
  /** The API version of the payload. */
  version: "webhook-api-version",
} as const;
