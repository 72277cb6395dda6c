import { hmac } from "./hmac.ts";

/** The parts of a delivery that its signature covers. */
export interface SignedParts {
  /** The event's id, `webhook-id`. */
  readonly id: string;
  /** The time of signing in seconds since 1970, `webhook-timestamp`. */
  readonly timestamp: number | string;
  /** The body, exactly as it is sent. */
  readonly body: string;
}

/** Options for `sign`. */
export interface SignOptions {
  /** The label before the signature. Defaults to `v1`, that of a symmetric HMAC-SHA256 in Standard Webhooks. */
  readonly label?: string;
  /** Returns the text to sign. Defaults to the id, the timestamp and the body, with dots between them (G-SIGN). */
  readonly text?: (parts: SignedParts) => string;
}

/** The label of the signatures of both schemes (Standard Webhooks). */
export const SIGNATURE_LABEL = "v1";

/** Returns the text that both schemes sign (G-SIGN). */
export function signedText({ id, timestamp, body }: SignedParts): string {
  return `${id}.${timestamp}.${body}`;
}

/**
 * Signs a delivery, and returns the value of the header `webhook-signature`. In browsers it needs HTTPS or localhost,
 * since they provide Web Crypto only there.
 *
 * @example
 * ```ts
 * const signature = await sign({ id, timestamp, body }, signingKey(secret, "standard"));
 * ```
 */
export async function sign(
  parts: SignedParts,
  key: Uint8Array<ArrayBuffer>,
  { label = SIGNATURE_LABEL, text = signedText }: SignOptions = {},
): Promise<string> {
  return `${label},${await hmac(key)(text(parts))}`;
}
