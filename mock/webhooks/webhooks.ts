import type { Assumptions } from "../assumptions/assumptions.ts";
import type { EventTypeName } from "../generated/names.ts";
import { type ReadonlyCollection, readonlyCollection } from "../state/collection.ts";
import type { Delivery, EmittedEvent } from "../state/records.ts";
import type { State } from "../state/state.ts";
import { DeliveryQueue } from "./delivery-queue.ts";
import { createEvents, type EmitOptions } from "./emit.ts";
import { DeliverySender, type WebhookHandler } from "./send.ts";

/**
 * A mock's webhooks. Events and deliveries are part of the mock's state: `reset` aborts attempts in progress, restores the
 * events and deliveries of the initial state, and delivers its pending events when they are due by the mock's clock.
 */
export interface MockWebhooks<EventType extends string = EventTypeName> {
  /**
   * Creates one event for each enabled endpoint of the organization that lists the type, and starts to deliver them. An
   * endpoint whose version does not have the type receives none. Different endpoints receive deliveries at the same time; an
   * endpoint receives the first attempts one at a time, in the order of the events.
   *
   * @param data The payload data, as JSON. If an endpoint's version describes the type, the endpoint receives only the described
   * fields.
   * @throws TypeError for an event type that no supported version has, for an unknown organization, and for data that is
   * not JSON, has more than 65,536 characters or lacks a field that an endpoint's version requires. In these cases, no event is
   * created.
   */
  emit(type: EventType, data: unknown, options?: EmitOptions): readonly EmittedEvent[];
  /** Up to a thousand events, oldest first. Pending events are kept even above this limit. */
  readonly events: ReadonlyCollection<EmittedEvent>;
  /** The newest thousand delivery attempts, oldest first. */
  readonly deliveries: ReadonlyCollection<Delivery>;
  /**
   * Delivers an event again, with the same id, payload and version, but a new timestamp and signature. If the event has no
   * attempts left, this makes one more; if it is still pending, a new series of attempts starts.
   *
   * @throws TypeError for an unknown event, and if its endpoint is disabled or deleted.
   */
  redeliver(eventId: string): void;
  /**
   * Passes deliveries for a URL to a function instead of a server. Another function for the same URL replaces the first.
   * `reset` keeps the function.
   *
   * @returns A function that stops this.
   * @throws TypeError if the URL is not absolute.
   */
  receive(url: string, handler: WebhookHandler): () => void;
  /** Waits until no attempt is in progress or due now. Does not wait for later retries. */
  idle(): Promise<void>;
}

/** Creates the webhooks of a mock, and the queue through which the engine controls their time. */
export function createWebhooks(
  state: State,
  assumptions: Assumptions,
): { webhooks: MockWebhooks<string>; queue: DeliveryQueue } {
  const sender = new DeliverySender(state, assumptions);
  const queue = new DeliveryQueue(state, assumptions, sender);
  const webhooks: MockWebhooks<string> = {
    emit: (type, data, options = {}) => {
      state.catchUp();
      const events = createEvents(state, assumptions, type, data, options);
      for (const event of events) queue.add(event);
      return events;
    },
    events: readonlyCollection(state.tables.webhookEvents),
    deliveries: readonlyCollection(state.tables.deliveries),
    redeliver: (eventId) => queue.redeliver(requireDeliverable(eventId, state)),
    receive: (url, handler) => sender.receive(url, handler),
    idle: () => queue.idle(),
  };
  return { webhooks, queue };
}

/** Returns the event with an id. Throws unless its endpoint receives it (DEL-1). */
function requireDeliverable(eventId: string, state: State): EmittedEvent {
  const event = state.tables.webhookEvents.get(eventId);
  if (!event) throw new TypeError(`webhooks.redeliver: unknown event "${eventId}".`);
  const endpoint = state.tables.webhookEndpoints.get(event.endpoint_id);
  if (!endpoint) throw new TypeError(`webhooks.redeliver: the endpoint of event "${eventId}" was deleted.`);
  if (endpoint.enabled) return event;
  throw new TypeError(`webhooks.redeliver: event "${eventId}" cannot be delivered: its endpoint is disabled.`);
}
