/**
 * The Billing Service API, version 2024-10: a typed client, every model, and the contract.
 *
 * @module 2024-10
 */
import { type BaseClient, bindContract, type ClientOptions } from "../../src/client/index.ts";
import { contract, VERSION } from "./contract.ts";
import { type Events, events } from "./resources/events.ts";
import { type OAuth2, oauth2 } from "./resources/oauth2.ts";
import { type Products, products } from "./resources/products.ts";
import { type Webhooks, webhooks } from "./resources/webhooks.ts";

/** Calls the Billing Service API, version 2024-10. */
export interface BillingClient extends BaseClient {
  /** The API version sent with every request. */
  readonly version: "2024-10";
  readonly webhooks: Webhooks;
  readonly events: Events;
  readonly oauth2: OAuth2;
  readonly products: Products;
}

/**
 * Creates a client of version 2024-10. It sends `Service-Version: 2024-10` with every request, so a new release of the
 * service does not change the contract it works with.
 *
 * @example
 * ```ts
 * const billing = createClient({ accessToken: process.env.BILLING_TOKEN, environment: "sandbox" });
 * const endpoint = await billing.webhooks.getEndpoint(id);
 * ```
 * @throws {@link InvalidInputError} when an option is unknown or invalid, for example an empty access token.
 * @deprecated The release between 2025-04-01 and 2025-04-07 removes this version. Import a newer one.
 */
export function createClient(options: ClientOptions): BillingClient {
  const { send, base } = bindContract(contract, options);
  return {
    ...base,
    version: VERSION,
    webhooks: webhooks(send),
    events: events(send),
    oauth2: oauth2(send),
    products: products(send),
  };
}

export * from "../../src/client/public.ts";
export type {
  Contract,
  JsonSchemaConverter,
  Method,
  Operation,
  OperationTypes,
  PagedOperation,
  PagedTypes,
  Paging,
  Schema,
  Security,
  SecurityScheme,
  SecuritySchemeName,
  StandardIssue,
  StandardResult,
  StandardSchema,
} from "../../src/contract/index.ts";
export * from "../../src/errors/index.ts";
export * from "./models/index.ts";
export type { Events, IngestEventsError, IngestEventsFailures } from "./resources/events.ts";
export { type CommonFailures, type ErrorBodies, isApiError, type ScopedFailures } from "./resources/failures.ts";
export type { AuthorizeError, AuthorizeFailures, OAuth2 } from "./resources/oauth2.ts";
export type { ListProductsError, ListProductsFailures, Products } from "./resources/products.ts";
export type {
  CreateWebhookEndpointError,
  CreateWebhookEndpointFailures,
  GetWebhookEndpointError,
  GetWebhookEndpointFailures,
  UpdateWebhookEndpointError,
  Webhooks,
} from "./resources/webhooks.ts";
export { contract };
