import { readonlyCollection } from "../state/collection.ts";
import type { EmittedEvent } from "../state/records.ts";
import type { State } from "../state/state.ts";
import { canonicalId } from "../state/uuid.ts";
import { DeliverySender } from "./delivery-sender.ts";
import { Dispatcher } from "./dispatcher.ts";
import { Emitter } from "./emitter.ts";
import { isSubscribed } from "./is-subscribed.ts";
import type { MockWebhooks } from "./mock-webhooks.ts";
import type { RetryTimers } from "./retry-timers.ts";
import type { DeliveryPolicy, WebhookPolicy } from "./webhook-policy.ts";

/** The webhooks of a mock, and what the engine needs to control their time. */
export interface CreatedWebhooks {
  readonly webhooks: MockWebhooks;
  readonly emitter: Emitter;
  /** Aborts the attempts under way, and continues with the pending events of the current state. */
  readonly resume: () => void;
  /** The attempts that are due later. */
  readonly retries: RetryTimers;
}

/** Creates the webhooks of a mock. */
export function createWebhooks(state: State, policy: WebhookPolicy): CreatedWebhooks {
  const sender = new DeliverySender(state, policy);
  const dispatcher = new Dispatcher(state, policy, sender);
  const emitter = new Emitter(state, policy, dispatcher);
  const webhooks: MockWebhooks = {
    emit: (type, data, options) => emitter.emit(type, data, options),
    events: readonlyCollection(state.tables.webhookEvents),
    deliveries: readonlyCollection(state.tables.deliveries),
    redeliver: (eventId) => dispatcher.redeliver(requireDeliverable(eventId, state, policy)),
    receive: (url, handler) => sender.receive(url, handler),
    idle: () => dispatcher.idle(),
  };
  return { webhooks, emitter, resume: () => dispatcher.resume(), retries: dispatcher.retries };
}

/** Returns the event with an id. Throws unless its endpoint receives it (DEL-1). */
function requireDeliverable(eventId: string, state: State, policy: DeliveryPolicy): EmittedEvent {
  const event = state.tables.webhookEvents.get(canonicalId(eventId));
  if (!event) throw new TypeError(`webhooks.redeliver: unknown event "${eventId}".`);
  const endpoint = state.tables.webhookEndpoints.get(event.endpoint_id);
  if (!endpoint) throw new TypeError(`webhooks.redeliver: the endpoint of event "${eventId}" was deleted.`);
  if (isSubscribed(endpoint, event.api_version, state, policy)) return event;
  const reason = endpoint.enabled ? `its version ${event.api_version} was removed` : "its endpoint is disabled";
  throw new TypeError(`webhooks.redeliver: event "${eventId}" cannot be delivered: ${reason}.`);
}
