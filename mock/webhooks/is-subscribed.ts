import type { StoredWebhookEndpoint } from "../state/records.ts";
import type { State } from "../state/state.ts";
import type { DeliveryPolicy } from "./webhook-policy.ts";

/** Whether an endpoint receives events of a version (DEL-1, G-REMOVED). */
export function isSubscribed(
  endpoint: StoredWebhookEndpoint,
  version: string,
  { versions }: State,
  { removedVersions }: DeliveryPolicy,
): boolean {
  if (!endpoint.enabled) return false;
  return removedVersions === "keep-delivering" || !versions.removed.has(version);
}
