import type { Assumptions } from "../assumptions/assumptions.ts";
import { formatTimestamp } from "../clock/clock.ts";
import { reference, requireOptions, unknownName } from "../options/options.ts";
import { idOf } from "../state/ids.ts";
import type { EmittedEvent, StoredWebhookEndpoint } from "../state/records.ts";
import type { State } from "../state/state.ts";
import { frozenJson } from "../validation/parse-body.ts";
import { renderPayload } from "./payload.ts";

/** Options for `emit`. */
export interface EmitOptions {
  /** The organization whose endpoints receive the event, or its id. Defaults to the default organization. */
  readonly organization?: string | { readonly id: string } | undefined;
}

/** The maximum number of pending events, so that one emit takes some milliseconds at most. */
const MAX_PENDING = 10_000;

/** The maximum number of characters of an event's data, so that the stored events need bounded memory. */
const MAX_DATA = 65_536;

/**
 * Creates and stores an event for each endpoint that receives the type.
 *
 * @param pending The number of pending events.
 * @throws TypeError if an argument is invalid, or too many events would be pending. No event is created then.
 */
export function createEvents(
  state: State,
  assumptions: Assumptions,
  type: string,
  data: unknown,
  options: EmitOptions,
  pending: number,
): readonly EmittedEvent[] {
  requireType(type, state);
  // A typo must not send the event to the default organization.
  requireOptions("webhooks.emit", options, { organization: reference });
  const organizationId = organizationOf(options.organization, state);
  const created_at = formatTimestamp(state.clock.now());
  const bodyOf = payloadWriter(type, created_at, requireData(data), state);
  const receivers = subscribers(type, organizationId, state, assumptions);
  if (pending + receivers.length > MAX_PENDING) {
    const limit = `${receivers.length}; at most ${MAX_PENDING} may be pending. Wait until they are delivered, or call reset().`;
    throw new TypeError(`webhooks.emit: ${pending} events are pending, and this one would add ${limit}`);
  }
  const events = new Map<string, EmittedEvent>();
  for (const endpoint of receivers) {
    const id = state.ids.uuid();
    const event: EmittedEvent = {
      id,
      endpoint_id: endpoint.id,
      type,
      api_version: endpoint.api_version,
      created_at,
      body: bodyOf(endpoint),
      status: "pending",
      delivered: false,
      attempts: 0,
      failures: 0,
      attempts_left: assumptions.retry.attempts,
      next_attempt_at: created_at,
    };
    events.set(id, Object.freeze(event));
  }
  state.tables.webhookEvents.addAll(events);
  return [...events.values()];
}

/** Returns a function that renders the payload once for each format and version. */
function payloadWriter(
  type: string,
  timestamp: string,
  data: unknown,
  state: State,
): (endpoint: StoredWebhookEndpoint) => string {
  const rendered = new Map<string, string>();
  return ({ api_version, format }) => {
    const key = `${format} ${api_version}`;
    const payload = { type, timestamp, api_version, data };
    const body = rendered.get(key) ?? renderPayload(payload, format, contractOf(api_version, state));
    rendered.set(key, body);
    return body;
  };
}

/** Returns the endpoints of an organization that receive a type, which their version has (DEL-1, G-WHE-TYPES). */
function subscribers(
  type: string,
  organizationId: string,
  state: State,
  assumptions: Assumptions,
): readonly StoredWebhookEndpoint[] {
  return state.tables.webhookEndpoints
    .list()
    .filter(
      (endpoint) =>
        endpoint.organization_id === organizationId &&
        endpoint.events.includes(type) &&
        contractOf(endpoint.api_version, state)?.webhookEventTypes.includes(type) &&
        isSubscribed(endpoint, endpoint.api_version, state, assumptions),
    );
}

function contractOf(version: string, { versions }: State) {
  return versions.contracts.get(version) ?? versions.removed.get(version);
}

function requireType(type: string, { versions }: State): void {
  if (type === undefined) throw new TypeError("webhooks.emit: the event type is missing.");
  const known = new Set([...versions.contracts.values()].flatMap(({ webhookEventTypes }) => webhookEventTypes));
  if (!known.has(type)) throw new TypeError(`webhooks.emit: ${unknownName("event type", type, [...known])}`);
}

function organizationOf(given: EmitOptions["organization"], { tables, defaults }: State): string {
  const id = idOf(given) ?? defaults.organization_id;
  if (!tables.organizations.has(id)) throw new TypeError(`webhooks.emit: unknown organization ${JSON.stringify(id)}.`);
  return id;
}

/** Copies a JSON value, with a limit on its length. */
function requireData(data: unknown): unknown {
  const copy = frozenJson(data, "webhooks.emit: `data`");
  const { length } = JSON.stringify(copy);
  if (length <= MAX_DATA) return copy;
  throw new TypeError(`webhooks.emit: \`data\` must have at most ${MAX_DATA} characters as JSON; received ${length}.`);
}

/** Whether an endpoint receives events of a version (DEL-1, G-REMOVED). */
export function isSubscribed(
  endpoint: StoredWebhookEndpoint,
  version: string,
  { versions }: State,
  { removedVersions }: Assumptions,
): boolean {
  return endpoint.enabled && (removedVersions === "keep-delivering" || !versions.removed.has(version));
}
