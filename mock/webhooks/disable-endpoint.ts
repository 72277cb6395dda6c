import { formatTimestamp, readClock } from "../state/clock.ts";
import type { State } from "../state/state.ts";

/** Records that an event of an endpoint failed, and returns the number of its consecutive failed events. */
export function recordFailure(eventId: string, endpointId: string, { tables: { webhookFailures } }: State): number {
  const failures = new Set(webhookFailures.get(endpointId)).add(eventId);
  webhookFailures.set(endpointId, Object.freeze([...failures]));
  return failures.size;
}

/** Disables an endpoint after too many failures (G-DISABLE). The count starts again when it is enabled. */
export function disableEndpoint(endpointId: string, { tables, clock }: State): void {
  const { webhookEndpoints, webhookFailures } = tables;
  const endpoint = webhookEndpoints.get(endpointId);
  webhookFailures.delete(endpointId);
  if (!endpoint?.enabled) return;
  const modified_at = formatTimestamp(readClock(clock, endpoint.modified_at ?? endpoint.created_at).at);
  webhookEndpoints.set(endpointId, { ...endpoint, enabled: false, modified_at });
}
