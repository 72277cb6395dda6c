import { signingKey } from "./signing-key.ts";

/** A key of the HMAC. */
export type WebhookKey = Uint8Array<ArrayBuffer>;

/** The number of secrets whose keys are kept. */
const KEPT = 100;
const known = new Map<string, readonly WebhookKey[]>();

/** Returns the keys of a secret: one per scheme. A secret that is not base64 has no key of the standard scheme. */
export function secretKeys(secret: string): readonly WebhookKey[] {
  const kept = known.get(secret);
  if (kept) return kept;
  const keys = [...standardKey(secret), signingKey(secret, "original")];
  const [oldest] = known.keys();
  if (known.size >= KEPT && oldest !== undefined) known.delete(oldest);
  known.set(secret, keys);
  return keys;
}

function standardKey(secret: string): readonly WebhookKey[] {
  try {
    return [signingKey(secret, "standard")];
  } catch {
    return [];
  }
}
