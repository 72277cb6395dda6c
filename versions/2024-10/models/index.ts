export type * from "./authorize-response.ts";
export type * from "./error.ts";
export type * from "./event.ts";
export type * from "./product.ts";
export { SCOPES, type Scope } from "./scope.ts";
export type { Timestamp } from "./timestamp.ts";
export {
  WEBHOOK_FORMATS,
  type WebhookEndpoint,
  type WebhookEndpointCreate,
  type WebhookEndpointUpdate,
  type WebhookFormat,
} from "./webhook-endpoint.ts";
export { WEBHOOK_EVENT_TYPES, type WebhookEventType } from "./webhook-event-type.ts";
