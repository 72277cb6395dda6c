/**
 * Receives webhooks of one version: verifies deliveries, and types their events.
 *
 * @module 2025-01/webhooks
 */

import {
  type DeliveryHandler,
  type EventOf,
  type EventToSign,
  type HandlerOptions,
  handlerForVersion,
  type SchemasOf,
  type SignedWebhook,
  type SignWebhookOptions,
  signForVersion,
  type VerifyOptions,
  verifyForVersion,
  type WebhookDelivery,
} from "../../src/webhooks/index.ts";
import { VERSION, WEBHOOK_EVENT_TYPES, type WebhookEventType } from "./names.ts";

const version = { name: VERSION, types: WEBHOOK_EVENT_TYPES };

/** Schemas for the data of events, by event type: `{ "order.paid": OrderPaid }`. */
export type WebhookSchemas = SchemasOf<WebhookEventType>;

/** An event of this version: a union over its types, and {@link UnknownWebhookEvent} for any other type. */
export type WebhookEvent<Schemas extends WebhookSchemas = WebhookSchemas> = EventOf<WebhookEventType, Schemas>;

/** Options for `verifyWebhook`. Only `secret` is required. */
export interface VerifyWebhookOptions<Schemas extends WebhookSchemas = WebhookSchemas>
  extends VerifyOptions<WebhookEventType, Schemas> {}

/** Options for `createWebhookHandler`, in addition to the options for `verifyWebhook`. `secret` and `on` are required. */
export interface WebhookHandlerOptions<Schemas extends WebhookSchemas = WebhookSchemas>
  extends HandlerOptions<WebhookEventType, Schemas, WebhookEvent<Schemas>> {}

/**
 * Verifies a delivery, and returns its event. Both signature schemes are detected. An event of a type that this
 * version does not know is returned, not rejected.
 *
 * @example
 * ```ts
 * const event = await verifyWebhook(request, { secret: process.env.WEBHOOK_SECRET });
 * if (event.type === "order.paid") await fulfil(event.data);
 * ```
 * @param delivery A `Request`, or the raw body and the headers.
 * @throws {@link WebhookVerificationError} if the delivery is not authentic or cannot be read; see `reason`.
 * @throws {@link VersionMismatchError} if the event has another version, unless `versions` allows it.
 * @throws {@link InvalidInputError} if an option is unknown or invalid, for example a missing secret.
 */
export function verifyWebhook<Schemas extends WebhookSchemas = WebhookSchemas>(
  delivery: Request | WebhookDelivery,
  options: VerifyWebhookOptions<Schemas>,
): Promise<WebhookEvent<Schemas>> {
  return verifyForVersion(version, delivery, options);
}

/**
 * Creates a handler: a function from `Request` to `Response` that verifies a delivery and runs the function for its event.
 * The status is 204 after the function has finished, and an error status if the delivery is rejected or the function fails.
 * The guide "Receiving webhooks" lists all statuses. It is assumed that the service retries a delivery whose status is not
 * 2xx.
 *
 * @example
 * ```ts
 * export const POST = createWebhookHandler({
 *   secret: process.env.WEBHOOK_SECRET,
 *   on: { "order.paid": (event) => fulfil(event.data) },
 * });
 * ```
 * @throws {@link InvalidInputError} if an option is unknown or invalid, for example a missing secret.
 */
export function createWebhookHandler<Schemas extends WebhookSchemas = WebhookSchemas>(
  options: WebhookHandlerOptions<Schemas>,
): DeliveryHandler {
  return handlerForVersion(version, options);
}

/**
 * Signs an event as the service does, for unit tests of your webhook handler.
 *
 * @example
 * ```ts
 * const delivery = await signWebhook({ type: "order.paid", data: { id: "ord_1" } }, { secret });
 * const request = new Request("https://shop.example/webhooks", { method: "POST", ...delivery });
 * ```
 * @throws {@link InvalidInputError} if an argument is invalid, for example a secret that is not base64.
 */
export function signWebhook(event: EventToSign<WebhookEventType>, options: SignWebhookOptions): Promise<SignedWebhook> {
  return signForVersion(version, event, options);
}

export * from "../../src/webhooks/public.ts";
export { WEBHOOK_EVENT_TYPES, type WebhookEventType } from "./names.ts";
