import { SIGNATURE_LABEL, type SignedParts, sign, signedText, WEBHOOK_HEADERS } from "../../src/webhooks/index.ts";

/** Settings for signing deliveries (G-SIGN). */
export interface SignaturePolicy {
  /** Name of the header with the event's id. */
  readonly idHeader: string;
  /** Name of the header with the time of the attempt, in seconds since 1970. */
  readonly timestampHeader: string;
  readonly signatureHeader: string;
  /** The label before the signature. */
  readonly label: string;
  /** Returns the text that is signed. */
  readonly text: (parts: SignedParts) => string;
}

/** The default signature policy: that of Standard Webhooks. */
export const signatureDefaults: SignaturePolicy = {
  idHeader: WEBHOOK_HEADERS.id,
  timestampHeader: WEBHOOK_HEADERS.timestamp,
  signatureHeader: WEBHOOK_HEADERS.signature,
  label: SIGNATURE_LABEL,
  text: signedText,
};

/** Returns the headers that sign a delivery. */
export async function signatureHeaders(
  parts: SignedParts,
  key: Uint8Array<ArrayBuffer>,
  policy: SignaturePolicy,
): Promise<Readonly<Record<string, string>>> {
  return {
    [policy.idHeader]: parts.id,
    [policy.timestampHeader]: String(parts.timestamp),
    [policy.signatureHeader]: await sign(parts, key, policy),
  };
}
