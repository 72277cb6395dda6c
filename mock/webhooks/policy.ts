import type { Assumptions, RetryPolicy } from "../assumptions/assumptions.ts";
import { IdGenerator } from "../state/ids.ts";
import type { StoredWebhookEndpoint } from "../state/records.ts";
import type { State } from "../state/state.ts";

/** Whether an endpoint receives events of a version (DEL-1, G-REMOVED). */
export function isSubscribed(
  endpoint: StoredWebhookEndpoint,
  version: string,
  { versions }: State,
  { removedVersions }: Assumptions,
): boolean {
  return endpoint.enabled && (removedVersions === "keep-delivering" || !versions.removed.has(version));
}

/**
 * Returns the delay before the next attempt in milliseconds. The jitter depends only on the event's id and the number
 * of failures, so the same seed gives the same delays whatever else is delivered meanwhile.
 *
 * @param failed The number of failed attempts since the event was created or redelivered.
 */
export function waitAfter(failed: number, eventId: string, retry: RetryPolicy): number {
  const wait = Math.min(retry.firstDelayMs * 2 ** (failed - 1), retry.maxDelayMs);
  return Math.round(wait * (1 - retry.jitter * new IdGenerator(hashOf(`${eventId}:${failed}`)).fraction()));
}

/** Returns an integer that depends on every character of a string (FNV-1a). */
function hashOf(characters: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < characters.length; i++) hash = Math.imul(hash ^ characters.charCodeAt(i), 0x01000193);
  return hash;
}
