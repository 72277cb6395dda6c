import { IdGenerator } from "../state/id-generator.ts";
import type { WebhookPolicy } from "./webhook-policy.ts";
import type { EmittedEvent } from "./webhooks.ts";

/**
 * How long to wait before the next attempt, in milliseconds (G-RETRY). What chance adds comes from the event's id, so
 * that the same seed gives the same waits whatever else is delivered meanwhile.
 *
 * @param failed How many attempts of this series have failed.
 */
export function waitAfter(failed: number, { id }: EmittedEvent, { retry }: WebhookPolicy): number {
  const wait = Math.min(retry.firstDelayMs * 2 ** (failed - 1), retry.maxDelayMs);
  return Math.round(wait * (1 - retry.jitter * new IdGenerator(seedOf(`${id}:${failed}`)).fraction()));
}

/** A whole number that depends on every character of a text (FNV-1a). */
function seedOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return hash;
}
