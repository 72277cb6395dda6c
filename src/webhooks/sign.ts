/** What a signature covers. */
export interface SignedParts {
  /** The event's identifier, `webhook-id`. */
  readonly id: string;
  /** When it is signed, in seconds since 1970, `webhook-timestamp`. */
  readonly timestamp: number | string;
  /** The body, exactly as it is sent. */
  readonly body: string;
}

/** The label of the one kind of signature that both schemes use: a symmetric HMAC-SHA256 (Standard Webhooks). */
export const SIGNATURE_LABEL = "v1";

/** The text that is signed (G-SIGN). */
export function signedText({ id, timestamp, body }: SignedParts): string {
  return `${id}.${timestamp}.${body}`;
}

/** The base64 of the HMAC-SHA256 of a text. It needs WebCrypto, which browsers offer on HTTPS and localhost alone. */
export async function hmac(key: Uint8Array<ArrayBuffer>, text: string): Promise<string> {
  const algorithm = { name: "HMAC", hash: "SHA-256" };
  const imported = await crypto.subtle.importKey("raw", key, algorithm, false, ["sign"]);
  const signature = await crypto.subtle.sign(algorithm.name, imported, new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(signature)));
}

/**
 * Signs a delivery, as the value of the header `webhook-signature`.
 *
 * @example
 * ```ts
 * const signature = await sign({ id, timestamp, body }, signingKey(secret, "standard"));
 * ```
 */
export async function sign(parts: SignedParts, key: Uint8Array<ArrayBuffer>): Promise<string> {
  return `${SIGNATURE_LABEL},${await hmac(key, signedText(parts))}`;
}
