import type { WebhookEndpoint } from "../state/records.ts";
import type { State } from "../state/state.ts";
import type { WebhookPolicy } from "./webhook-policy.ts";

/** Whether an endpoint receives what has a certain version (DEL-1, G-REMOVED). */
export function receives(
  endpoint: WebhookEndpoint,
  version: string,
  { versions }: State,
  { removedVersions }: WebhookPolicy,
): boolean {
  if (!endpoint.enabled) return false;
  return removedVersions === "keep-delivering" || !versions.removed.has(version);
}
