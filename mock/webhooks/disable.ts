import { timestamp } from "../state/clock.ts";
import type { State } from "../state/state.ts";

/** Notes that an event of an endpoint was given up, and says how many in a row that makes. */
export function noteFailure(eventId: string, endpointId: string, { tables: { webhookFailures } }: State): number {
  const failures = new Set(webhookFailures.get(endpointId)).add(eventId);
  webhookFailures.set(endpointId, Object.freeze([...failures]));
  return failures.size;
}

/** Turns an endpoint off, as the service does where nobody answers any more; once on again, it begins anew. */
export function disable(endpointId: string, { tables: { webhookEndpoints, webhookFailures }, clock }: State): void {
  const endpoint = webhookEndpoints.get(endpointId);
  webhookFailures.delete(endpointId);
  if (!endpoint?.enabled) return;
  webhookEndpoints.set(endpointId, Object.freeze({ ...endpoint, enabled: false, modified_at: timestamp(clock()) }));
}
