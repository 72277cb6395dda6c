// Compiles only if each model and its schema describe the same JSON. The exception is ProductList, whose schema also accepts an
// array, because the specification does not show a page.
import type * as z from "zod/mini";
import type { Equal, Json, ZodSchema } from "../../src/version.ts";
import type * as errors from "./errors.ts";
import type * as events from "./events.ts";
import type * as names from "./names.ts";
import type * as oauth2 from "./oauth2.ts";
import type * as products from "./products.ts";
import type * as timestamp from "./timestamp.ts";
import type * as endpoints from "./webhook-endpoints.ts";

type True<Check extends true> = Check;
type Same<Schema extends ZodSchema, Model> = Equal<Json<z.output<Schema>>, Json<Model>>;

/** One line per model; the compiler rejects a line that is not `true`. */
export type Models = [
  True<Same<typeof errors.ResourceNotFoundSchema, errors.ResourceNotFound>>,
  True<Same<typeof errors.ValidationErrorSchema, errors.ValidationError>>,
  True<Same<typeof errors.HTTPValidationErrorSchema, errors.HTTPValidationError>>,
  True<Same<typeof errors.NotFoundSchema, errors.NotFound>>,
  True<Same<typeof errors.UnauthorizedSchema, errors.Unauthorized>>,
  True<Same<typeof errors.InvalidTokenSchema, errors.InvalidToken>>,
  True<Same<typeof errors.InsufficientScopeSchema, errors.InsufficientScope>>,
  True<Same<typeof errors.InvalidAuthorizationSchema, errors.InvalidAuthorization>>,
  True<Same<typeof events.EventCreateCustomerSchema, events.EventCreateCustomer>>,
  True<Same<typeof events.EventCreateExternalCustomerSchema, events.EventCreateExternalCustomer>>,
  True<Same<typeof events.EventSchema, events.Event>>,
  True<Same<typeof events.EventsIngestSchema, events.EventsIngest>>,
  True<Same<typeof events.IngestResponseSchema, events.IngestResponse>>,
  True<Same<typeof oauth2.AuthorizeClientSchema, oauth2.AuthorizeClient>>,
  True<Same<typeof oauth2.AuthorizeUserSchema, oauth2.AuthorizeUser>>,
  True<Same<typeof oauth2.AuthorizeOrganizationSchema, oauth2.AuthorizeOrganization>>,
  True<Same<typeof oauth2.AuthorizeResponseUserSchema, oauth2.AuthorizeResponseUser>>,
  True<Same<typeof oauth2.AuthorizeResponseOrganizationSchema, oauth2.AuthorizeResponseOrganization>>,
  True<Same<typeof oauth2.AuthorizeResponseSchema, oauth2.AuthorizeResponse>>,
  True<Same<typeof oauth2.AuthorizeQuerySchema, oauth2.AuthorizeQuery>>,
  True<Same<typeof products.ProductQuerySchema, products.ProductQuery>>,
  True<Same<typeof oauth2.ScopeSchema, names.Scope>>,
  True<Same<typeof timestamp.TimestampSchema, timestamp.Timestamp>>,
  True<Same<typeof endpoints.WebhookFormatSchema, endpoints.WebhookFormat>>,
  True<Same<typeof endpoints.WebhookEventTypeSchema, names.WebhookEventType>>,
  True<Same<typeof endpoints.WebhookEndpointSchema, endpoints.WebhookEndpoint>>,
  True<Same<typeof endpoints.WebhookEndpointCreateSchema, endpoints.WebhookEndpointCreate>>,
  True<Same<typeof endpoints.WebhookEndpointUpdateSchema, endpoints.WebhookEndpointUpdate>>,
];
