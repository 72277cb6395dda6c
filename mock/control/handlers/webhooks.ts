import type { Delivery, EmittedEvent } from "../../state/records.ts";
import type { ReadOperations } from "../routes/collections.ts";
import type { WebhookOperations } from "../routes/webhooks.ts";
import { readHandlers } from "./collections.ts";
import type { HandlersOf } from "./handler.ts";

export const webhookHandlers: HandlersOf<WebhookOperations> = {
  emit: ({ body: { type, data, ...options } }, { mock }) => mock.webhooks.emit(type, data, options),
  redeliver: ({ id }, { mock }) => mock.webhooks.redeliver(id),
  idle: (_, { mock }) => mock.webhooks.idle(),
  receive: ({ body: { url, to } }, { mock, receivers }) => ({ id: receivers.add(mock, url, to) }),
  stopReceiving: ({ id }, { receivers }) => receivers.delete(id),
};

export const webhookEventHandlers: HandlersOf<ReadOperations<EmittedEvent>> = readHandlers(
  ({ webhooks }) => webhooks.events,
  ({ tables }) => tables.webhookEvents,
);

export const deliveryHandlers: HandlersOf<ReadOperations<Delivery>> = readHandlers(
  ({ webhooks }) => webhooks.deliveries,
  ({ tables }) => tables.deliveries,
);
