/**
 * The Billing Service API in one version: a typed client, every model, and the contract.
 *
 * @module 2024-10
 */
import { type BaseClient, bindVersion } from "../../src/client/client.ts";
import type { ClientOptions } from "../../src/client/index.ts";
import { type ApiErrorGuard, isApiError as isAnyApiError } from "../../src/errors/index.ts";
import { contract } from "./contract.ts";
import type { ErrorBodies } from "./errors.ts";
import { type Events, events } from "./events.ts";
import { VERSION } from "./names.ts";
import { type OAuth2, oauth2 } from "./oauth2.ts";
import { type Products, products } from "./products.ts";
import { type Webhooks, webhooks } from "./webhook-endpoints.ts";

/** Calls this version of the Billing Service API. */
export interface BillingClient extends BaseClient {
  /** The API version sent with every request. */
  readonly version: typeof VERSION;
  readonly webhooks: Webhooks;
  readonly events: Events;
  readonly oauth2: OAuth2;
  readonly products: Products;
}

/**
 * Creates a client of this version. It sends `Service-Version` with every request, so a new release of the service does not
 * change the contract it works with.
 *
 * @example
 * ```ts
 * const { BILLING_TOKEN, BILLING_URL } = process.env;
 * const billing = createClient({ accessToken: BILLING_TOKEN, baseUrl: BILLING_URL });
 * const endpoint = await billing.webhooks.getEndpoint(id);
 * ```
 * @throws {@link InvalidInputError} when an option is unknown or invalid, for example an empty access token.
 * @deprecated The release between 2025-04-01 and 2025-04-07 removes this version. Import a newer one.
 */
export function createClient(options: ClientOptions): BillingClient {
  const { send, base } = bindVersion(VERSION, options);
  return {
    ...base,
    version: VERSION,
    webhooks: webhooks(send),
    events: events(send),
    oauth2: oauth2(send),
    products: products(send),
  };
}

/**
 * Returns whether a value is an {@link ApiError}, from any copy of the package. With a status, `body` has the type that
 * this version declares for it.
 *
 * @example
 * ```ts
 * try {
 *   await billing.events.ingest(events);
 * } catch (error) {
 *   if (!isApiError(error, 422)) throw error;
 *   for (const { loc, msg } of error.body?.detail ?? []) console.log(loc.join("."), msg);
 * }
 * ```
 */
export const isApiError: ApiErrorGuard<ErrorBodies> = isAnyApiError;

export type * from "../../src/version.ts";
export type {
  CommonFailures,
  ErrorBodies,
  HTTPValidationError,
  InsufficientScope,
  InvalidAuthorization,
  InvalidToken,
  NotFound,
  ResourceFailures,
  ResourceNotFound,
  ScopedFailures,
  Unauthorized,
  ValidationError,
} from "./errors.ts";
export type {
  Event,
  EventCreateCustomer,
  EventCreateExternalCustomer,
  EventMetadata,
  Events,
  EventsIngest,
  IngestResponse,
  JsonValue,
} from "./events.ts";
export { SCOPES, type Scope, WEBHOOK_EVENT_TYPES, type WebhookEventType } from "./names.ts";
export type {
  AuthorizeClient,
  AuthorizeFailures,
  AuthorizeOrganization,
  AuthorizeQuery,
  AuthorizeResponse,
  AuthorizeResponseOrganization,
  AuthorizeResponseUser,
  AuthorizeUser,
  OAuth2,
} from "./oauth2.ts";
export type { Product, ProductList, ProductQuery, Products } from "./products.ts";
export type { Timestamp, TimestampInput } from "./timestamp.ts";
export {
  WEBHOOK_FORMATS,
  type WebhookEndpoint,
  type WebhookEndpointCreate,
  type WebhookEndpointUpdate,
  type WebhookFormat,
  type Webhooks,
} from "./webhook-endpoints.ts";
export { contract };
