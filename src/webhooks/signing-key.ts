/**
 * A scheme for signing deliveries. Both schemes sign the same text with HMAC-SHA256; only the key differs.
 *
 * - `standard`: the key is decoded from the base64 after the secret's prefix (Standard Webhooks).
 * - `original`: the key is the complete secret, including its prefix, in UTF-8 (specification, section 2.1).
 */
export type SignatureScheme = "standard" | "original";

/** Prefix of the secrets of endpoints (G-WHE-SECRET). */
export const SECRET_PREFIX = "whsec_";

/**
 * Returns the key of the HMAC that signs a delivery.
 *
 * @param prefix The prefix of the secret. A standard secret may omit it.
 * @throws TypeError if a standard secret is not base64. The message does not contain the secret.
 */
export function signingKey(
  secret: string,
  scheme: SignatureScheme,
  prefix: string = SECRET_PREFIX,
): Uint8Array<ArrayBuffer> {
  if (scheme === "original") return new TextEncoder().encode(secret);
  const bytes = decodeBase64(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret);
  if (!bytes) throw new TypeError(`A secret of the Standard Webhooks scheme must be "${prefix}" followed by base64.`);
  return bytes;
}

function decodeBase64(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return base64 === "" ? undefined : Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
