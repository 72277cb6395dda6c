/**
 * How a delivery is signed. Both schemes sign the same text by HMAC-SHA256; they differ in the key alone.
 *
 * - `standard`: the bytes that the base64 after the secret's prefix stands for (Standard Webhooks).
 * - `original`: the UTF-8 bytes of the complete secret, its prefix among them (specification, section 2.1).
 */
export type SignatureScheme = "standard" | "original";

/** What every secret of an endpoint begins with (G-WHE-SECRET). */
export const SECRET_PREFIX = "whsec_";

/**
 * The bytes that key the HMAC of a delivery.
 *
 * @param prefix What the secret begins with; a standard secret may also come without it.
 * @throws TypeError when a standard secret is no base64; the message never holds the secret.
 */
export function signingKey(
  secret: string,
  scheme: SignatureScheme,
  prefix: string = SECRET_PREFIX,
): Uint8Array<ArrayBuffer> {
  if (scheme === "original") return new TextEncoder().encode(secret);
  const bytes = decoded(secret.startsWith(prefix) ? secret.slice(prefix.length) : secret);
  if (!bytes) throw new TypeError(`A secret of the Standard Webhooks scheme must be "${prefix}" and base64 after it.`);
  return bytes;
}

function decoded(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return base64 === "" ? undefined : Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}
