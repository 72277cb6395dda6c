import { formatValue } from "../options/shape.ts";
import { timestamp } from "../state/clock.ts";
import type { WebhookEndpoint } from "../state/records.ts";
import type { State } from "../state/state.ts";
import { idOf } from "../state/uuid.ts";
import { receives } from "./due.ts";
import { checkEmitOptions } from "./emit-options.ts";
import { render, wireForm } from "./render.ts";
import type { WebhookPolicy } from "./webhook-policy.ts";
import type { EmitOptions, EmittedEvent } from "./webhooks.ts";

/** Creates the events of something that happened: one for each endpoint that is to hear of it, or none at all. */
export function createEvents(
  state: State,
  assumptions: WebhookPolicy,
  type: string,
  given: unknown,
  options: EmitOptions,
): readonly EmittedEvent[] {
  requireType(type, state);
  checkEmitOptions(options);
  const { organization } = options;
  const owner = organizationOf(organization, state);
  const created_at = timestamp(state.clock());
  const data = wireForm(given);
  const bodies = new Map<string, string>();
  const drafts = listeners(state, assumptions, type, owner).map(({ id: endpoint_id, api_version, format }) => {
    const payload = { type, timestamp: created_at, api_version, data };
    const kind = `${format} ${api_version}`;
    const body = bodies.get(kind) ?? render(payload, format, contractOf(api_version, state), assumptions);
    bodies.set(kind, body);
    return { endpoint_id, type, api_version, created_at, body };
  });
  const waiting = { status: "pending", attempts: 0, attempts_left: assumptions.retry.attempts } as const;
  const events = drafts.map((draft) =>
    Object.freeze({ id: state.ids.uuid(), ...draft, ...waiting, next_attempt_at: created_at }),
  );
  for (const event of events) state.tables.webhookEvents.set(event.id, event);
  return events;
}

/** The endpoints of an organization that are sent a type (DEL-1). */
function listeners(state: State, assumptions: WebhookPolicy, type: string, owner: string): readonly WebhookEndpoint[] {
  return state.tables.webhookEndpoints
    .list()
    .filter(({ organization_id, events }) => organization_id === owner && events.includes(type))
    .filter((endpoint) => receives(endpoint, endpoint.api_version, state, assumptions));
}

function contractOf(version: string, { versions }: State) {
  return versions.contracts.get(version) ?? versions.removed.get(version);
}

function requireType(type: string, { versions }: State): void {
  if ([...versions.contracts.values()].some(({ webhookEventTypes }) => webhookEventTypes.includes(type))) return;
  throw new TypeError(`emit: no supported version has the event type ${formatValue(type)}.`);
}

function organizationOf(given: EmitOptions["organization"], { tables, defaults }: State): string {
  const id = idOf(given) ?? defaults.organization_id;
  if (!tables.organizations.has(id)) throw new TypeError(`emit: there is no organization "${id}".`);
  return id;
}
