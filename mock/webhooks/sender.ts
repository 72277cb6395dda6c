import { readonlyCollection } from "../state/collection.ts";
import type { State } from "../state/state.ts";
import { canonicalId } from "../state/uuid.ts";
import { Courier } from "./courier.ts";
import { Dispatcher } from "./dispatcher.ts";
import { receives } from "./due.ts";
import { createEvents } from "./emit.ts";
import type { WebhookPolicy } from "./webhook-policy.ts";
import type { EmittedEvent, MockWebhooks } from "./webhooks.ts";

/** The webhooks of a mock, with what the mock itself needs of them. */
export interface WebhookSender extends MockWebhooks {
  /** Ends what is under way, and goes on with the events of the state as it is now. */
  resume(): void;
}

/** Makes what sends the webhooks of a mock. */
export function webhookSender(state: State, assumptions: WebhookPolicy): WebhookSender {
  const courier = new Courier(state, assumptions);
  const dispatcher = new Dispatcher(state, assumptions, courier);
  return {
    emit: (type, data, options = {}) => {
      const events = state.transact(() => createEvents(state, assumptions, type, data, options));
      for (const event of events) dispatcher.queue(event);
      return events;
    },
    events: readonlyCollection(state.tables.webhookEvents),
    deliveries: readonlyCollection(state.tables.deliveries),
    redeliver: (eventId) => dispatcher.redeliver(deliverable(eventId, state, assumptions)),
    receive: (url, handler) => courier.receive(url, handler),
    idle: () => dispatcher.idle(),
    resume: () => dispatcher.resume(),
  };
}

/** The event of that id, where somebody is there to receive it (DEL-1). */
function deliverable(eventId: string, state: State, assumptions: WebhookPolicy): EmittedEvent {
  const event = state.tables.webhookEvents.get(canonicalId(eventId));
  if (!event) throw new TypeError(`redeliver: there is no event "${eventId}".`);
  const endpoint = state.tables.webhookEndpoints.get(event.endpoint_id);
  if (!endpoint) throw new TypeError(`redeliver: the endpoint of event "${eventId}" is gone.`);
  if (receives(endpoint, event.api_version, state, assumptions)) return event;
  const why = endpoint.enabled ? `its version ${event.api_version} was removed` : "its endpoint is disabled";
  throw new TypeError(`redeliver: event "${eventId}" is not delivered any more: ${why}.`);
}
