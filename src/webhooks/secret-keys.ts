import { evictOldest } from "./evict-oldest.ts";
import { type Hmac, hmac } from "./hmac.ts";
import { originalKey, standardKey } from "./signing-key.ts";

/** The number of secrets whose keys are kept. */
const KEPT = 100;
const known = new Map<string, readonly Hmac[]>();

/** Returns the keys of a secret: one per scheme. A secret that is not base64 has no key of the standard scheme. */
export function secretKeys(secret: string): readonly Hmac[] {
  const kept = known.get(secret);
  if (kept) return kept;
  const keys = [standardKey(secret), originalKey(secret)].flatMap((key) => (key ? hmac(key) : []));
  known.set(secret, keys);
  evictOldest(known, KEPT);
  return keys;
}
