export type {
  AuthorizeClient,
  AuthorizeOrganization,
  AuthorizeQuery,
  AuthorizeResponse,
  AuthorizeResponseBase,
  AuthorizeResponseOrganization,
  AuthorizeResponseUser,
  AuthorizeUser,
  OtherSubType,
} from "./authorize-response.ts";
export type {
  HTTPValidationError,
  InsufficientScope,
  InvalidAuthorization,
  InvalidToken,
  NotFound,
  ResourceNotFound,
  Unauthorized,
  ValidationError,
} from "./error.ts";
export type {
  Event,
  EventCreateBase,
  EventCreateCustomer,
  EventCreateExternalCustomer,
  EventMetadata,
  EventsIngest,
  IngestResponse,
  JsonValue,
} from "./event.ts";
export type { Product, ProductList, ProductQuery } from "./product.ts";
export { SCOPES, type Scope } from "./scope.ts";
export type { Timestamp, TimestampInput } from "./timestamp.ts";
export {
  WEBHOOK_FORMATS,
  type WebhookEndpoint,
  type WebhookEndpointCreate,
  type WebhookEndpointUpdate,
  type WebhookFormat,
} from "./webhook-endpoint.ts";
export { WEBHOOK_EVENT_TYPES, type WebhookEventType } from "./webhook-event-type.ts";
