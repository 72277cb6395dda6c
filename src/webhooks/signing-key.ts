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
  const key = scheme === "original" ? originalKey(secret) : standardKey(secret, prefix);
  if (!key) throw new TypeError(`A secret of the Standard Webhooks scheme must be "${prefix}" followed by base64.`);
  return key;
}

/** Returns the key of the original scheme. */
export function originalKey(secret: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(secret);
}

/** Returns the key of the standard scheme; undefined if the secret is not base64. */
export function standardKey(secret: string, prefix: string = SECRET_PREFIX): Uint8Array<ArrayBuffer> | undefined {
  const base64 = secret.startsWith(prefix) ? secret.slice(prefix.length) : secret;
  try {
    return base64 === "" ? undefined : Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
