import { formatValue, unknownName } from "../options/shape.ts";
import { formatTimestamp } from "../state/clock.ts";
import type { EmittedEvent, StoredWebhookEndpoint } from "../state/records.ts";
import type { State } from "../state/state.ts";
import { idOf } from "../state/uuid.ts";
import { ITEMS_AT_ONCE, type Work } from "../time/in-slices.ts";
import { type EmitOptions, requireEmitOptions } from "./emit-options.ts";
import { isSubscribed } from "./is-subscribed.ts";
import { renderPayload, toJson } from "./render-payload.ts";
import type { DeliveryPolicy } from "./webhook-policy.ts";

/**
 * Prepares an event for each endpoint that receives the type. Pauses regularly, because there can be thousands.
 *
 * @param pending The number of pending events.
 * @returns The events by their ids.
 */
export function* prepareEvents(
  state: State,
  policy: DeliveryPolicy,
  type: string,
  given: unknown,
  options: EmitOptions,
  pending: number,
): Work<Map<string, EmittedEvent>> {
  requireType(type, state);
  requireEmitOptions(options);
  const organizationId = organizationOf(options.organization, state);
  const created_at = formatTimestamp(state.clock.now());
  const data = toJson(given);
  const bodies = new Map<string, string>();
  const bodyOf = ({ api_version, format }: StoredWebhookEndpoint): string => {
    const key = `${format} ${api_version}`;
    let body = bodies.get(key);
    if (body === undefined) {
      const payload = { type, timestamp: created_at, api_version, data };
      body = renderPayload(payload, format, contractOf(api_version, state), policy);
      bodies.set(key, body);
    }
    return body;
  };
  const receivers = yield* subscribers(state, policy, type, organizationId);
  requireRoom(receivers.length, pending);
  const rows = new Map<string, EmittedEvent>();
  for (const endpoint of receivers) {
    const id = state.ids.uuid();
    // Every field by name: spreads take many times as long.
    const event: EmittedEvent = {
      id,
      endpoint_id: endpoint.id,
      type,
      api_version: endpoint.api_version,
      created_at,
      body: bodyOf(endpoint),
      status: "pending",
      attempts: 0,
      attempts_left: policy.retry.attempts,
      next_attempt_at: created_at,
    };
    rows.set(id, Object.freeze(event));
    if (rows.size % ITEMS_AT_ONCE === 0) yield;
  }
  return rows;
}

/**
 * Stores prepared events: all of them, or none if there are too many.
 *
 * @param pending The number of pending events.
 */
export function storeEvents(state: State, rows: Map<string, EmittedEvent>, pending: number): readonly EmittedEvent[] {
  requireRoom(rows.size, pending);
  const events = [...rows.values()];
  state.tables.webhookEvents.addAll(rows);
  return events;
}

/** The maximum number of pending events. */
const MAX_PENDING = 100_000;

function requireRoom(count: number, pending: number): void {
  if (pending + count <= MAX_PENDING) return;
  throw new TypeError(
    `webhooks.emit: ${pending} events are pending, and this one would add ${count}; at most ${MAX_PENDING} may be pending. ` +
      "Wait until they are delivered, or call reset().",
  );
}

/** Returns the endpoints of an organization that receive a type, which their version has (DEL-1, G-WHE-TYPES). */
function* subscribers(
  state: State,
  policy: DeliveryPolicy,
  type: string,
  organizationId: string,
): Work<readonly StoredWebhookEndpoint[]> {
  const found: StoredWebhookEndpoint[] = [];
  let checked = 0;
  for (const [, endpoint] of state.tables.webhookEndpoints.entries()) {
    const isReceiver =
      endpoint.organization_id === organizationId &&
      endpoint.events.includes(type) &&
      contractOf(endpoint.api_version, state)?.webhookEventTypes.includes(type);
    if (isReceiver && isSubscribed(endpoint, endpoint.api_version, state, policy)) found.push(endpoint);
    checked += 1;
    if (checked % ITEMS_AT_ONCE === 0) yield;
  }
  return found;
}

function contractOf(version: string, { versions }: State) {
  return versions.contracts.get(version) ?? versions.removed.get(version);
}

function requireType(type: string, { versions }: State): void {
  const known = new Set([...versions.contracts.values()].flatMap(({ webhookEventTypes }) => webhookEventTypes));
  if (!known.has(type)) throw new TypeError(`webhooks.emit: ${unknownName("event type", type, [...known])}`);
}

function organizationOf(given: EmitOptions["organization"], { tables, defaults }: State): string {
  const id = idOf(given) ?? defaults.organization_id;
  if (!tables.organizations.has(id)) throw new TypeError(`webhooks.emit: unknown organization ${formatValue(id)}.`);
  return id;
}
