import * as z from "zod/mini";
import type { Call, CallOptions, Operation, OperationError, Send } from "../../src/contract.ts";
import { type ResourceFailures, resourceFailures, type ScopedFailures, scopedFailures } from "./errors.ts";
import { WEBHOOK_EVENT_TYPES, type WebhookEventType } from "./names.ts";
import { type Timestamp, TimestampSchema } from "./timestamp.ts";

/** Lists the payload formats of a webhook endpoint. */
export const WEBHOOK_FORMATS = ["raw", "discord", "slack"] as const;

/** The payload format of a webhook endpoint. */
export type WebhookFormat = (typeof WEBHOOK_FORMATS)[number];

// `z.enum` would do the same as a list of literals, but adds 0.2 kB to every client.
export const WebhookFormatSchema = z.literal(WEBHOOK_FORMATS);

/** Matches a version 4 UUID. `z.uuidv4` has the same pattern, but together with `z.uuid` adds 0.2 kB to every client. */
const UuidSchema = z.stringFormat(
  "uuid",
  /^([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-4[0-9a-fA-F]{3}-[89abAB][0-9a-fA-F]{3}-[0-9a-fA-F]{12})$/,
);

export const WebhookEventTypeSchema = z.literal(WEBHOOK_EVENT_TYPES);

/** A registered receiver of event notifications (specification, section 2.1). */
export interface WebhookEndpoint {
  /** The time at which the endpoint was created. */
  created_at: Timestamp;
  /** The time at which the endpoint was last modified; null if never. */
  modified_at: Timestamp | null;
  /** The endpoint's identifier, a version 4 UUID. */
  id: string;
  /** The address that receives the events. */
  url: string;
  /** A label to organize and identify the endpoint. It may be null or absent. */
  name?: string | null;
  /** The API version of the payloads, `YYYY-MM`. It is independent of the version of requests. */
  api_version: string;
  /** The payload format. */
  format: WebhookFormat;
  /** The secret that signs the deliveries. Keep it out of logs and browsers. */
  secret: string;
  /** The organization that owns the endpoint, a version 4 UUID. */
  organization_id: string;
  /** The types of event that are sent to the endpoint. */
  events: WebhookEventType[];
  /** Whether the endpoint receives events. */
  enabled: boolean;
  /**
   * Whether deliveries are signed by the Standard Webhooks scheme. If not, they are signed by the original scheme, an HMAC
   * keyed with the UTF-8 bytes of the complete secret. No request can set it.
   */
  readonly uses_standard_webhook_signature: boolean;
}

export const WebhookEndpointSchema = z.object({
  created_at: TimestampSchema,
  modified_at: z.nullable(TimestampSchema),
  id: UuidSchema,
  url: z.string(),
  name: z.exactOptional(z.nullable(z.string())),
  api_version: z.stringFormat("version", /^\d{4}-(0[1-9]|1[0-2])$/),
  format: WebhookFormatSchema,
  secret: z.string(),
  organization_id: UuidSchema,
  events: z.array(WebhookEventTypeSchema),
  enabled: z.boolean(),
  uses_standard_webhook_signature: z.boolean(),
});

/**
 * The fields of a new webhook endpoint: `url`, `format`, `events` and optionally `api_version` (specification,
 * section 2.1). `name` and `organization_id` are assumptions.
 */
export interface WebhookEndpointCreate {
  /** The address that receives the events: absolute, `https:` or `http:`, without credentials. */
  url: string;
  /** The payload format. */
  format: WebhookFormat;
  /** The types of event to send. */
  events: readonly WebhookEventType[];
  /** The API version of the payloads; must be supported. Defaults to Current. */
  api_version?: string | undefined;
  /** A label to organize and identify the endpoint. */
  name?: string | null | undefined;
  /** The owner. Required for a personal access token of a user with several organizations. */
  organization_id?: string | undefined;
}

export const WebhookEndpointCreateSchema = z.object({
  url: z.string(),
  format: WebhookFormatSchema,
  events: z.array(WebhookEventTypeSchema),
  api_version: z.exactOptional(z.string()),
  name: z.exactOptional(z.nullable(z.string())),
  organization_id: z.exactOptional(UuidSchema),
});

/** Changes to a webhook endpoint. Omitted fields keep their values. The fields are an assumption. */
export interface WebhookEndpointUpdate {
  /** The address that receives the events: absolute, `https:` or `http:`, without credentials. */
  url?: string | undefined;
  /** A label to organize and identify the endpoint; null removes it. */
  name?: string | null | undefined;
  /** The payload format. */
  format?: WebhookFormat | undefined;
  /** The types of event to send. */
  events?: readonly WebhookEventType[] | undefined;
  /** Whether the endpoint receives events. */
  enabled?: boolean | undefined;
  /** The API version of the payloads of later events; must be supported. */
  api_version?: string | undefined;
}

export const WebhookEndpointUpdateSchema = z.object({
  url: z.exactOptional(z.string()),
  name: z.exactOptional(z.nullable(z.string())),
  format: z.exactOptional(WebhookFormatSchema),
  events: z.exactOptional(z.array(WebhookEventTypeSchema)),
  enabled: z.exactOptional(z.boolean()),
  api_version: z.exactOptional(z.string()),
});

const EndpointPathSchema = z.object({ id: UuidSchema });

export const getWebhookEndpoint: Operation<{
  path: { id: string };
  data: WebhookEndpoint;
  failures: ResourceFailures;
}> = {
  id: "webhooks:get_webhook_endpoint",
  method: "GET",
  path: "/v1/webhooks/endpoints/{id}",
  summary: "Get a webhook endpoint by its id.",
  security: { schemes: ["oidc", "pat", "oat"], scopes: ["webhooks:read", "webhooks:write"] },
  request: { path: EndpointPathSchema },
  response: { status: 200, body: WebhookEndpointSchema },
  failures: resourceFailures,
  idempotent: () => true,
};

export const createWebhookEndpoint: Operation<{
  body: WebhookEndpointCreate;
  data: WebhookEndpoint;
  failures: ScopedFailures;
}> = {
  id: "webhooks:create_webhook_endpoint",
  method: "POST",
  path: "/v1/webhooks/endpoints",
  summary: "Create a webhook endpoint.",
  assumption: "G-WHE-PATHS",
  security: { schemes: ["oidc", "pat", "oat"], scopes: ["webhooks:write"] },
  request: { body: WebhookEndpointCreateSchema },
  response: { status: 201, body: WebhookEndpointSchema },
  failures: scopedFailures,
  idempotent: () => "a second request could create a second endpoint",
};

export const updateWebhookEndpoint: Operation<{
  path: { id: string };
  body: WebhookEndpointUpdate;
  data: WebhookEndpoint;
  failures: ResourceFailures;
}> = {
  id: "webhooks:update_webhook_endpoint",
  method: "PATCH",
  path: "/v1/webhooks/endpoints/{id}",
  summary: "Update a webhook endpoint.",
  assumption: "G-WHE-PATHS",
  security: { schemes: ["oidc", "pat", "oat"], scopes: ["webhooks:write"] },
  request: { path: EndpointPathSchema, body: WebhookEndpointUpdateSchema },
  response: { status: 200, body: WebhookEndpointSchema },
  failures: resourceFailures,
  idempotent: () => true,
};

/** Calls the operations on webhook endpoints. */
export interface Webhooks {
  /**
   * Gets a webhook endpoint by its id. Requires the scope `webhooks:read` or `webhooks:write`. It is retried after temporary
   * failures.
   *
   * @param id The endpoint's id, a version 4 UUID.
   * @throws {@link ApiError} with status 404 when no endpoint has that id, and with 422 when `id` is not a version 4 UUID.
   * @example
   * ```ts
   * const endpoint = await billing.webhooks.getEndpoint(
   *   "4a7e3c52-8f1d-4b6a-9c0e-2d5b7f8a1e34",
   * );
   * ```
   * @see Specification, section 4.1
   */
  getEndpoint(id: string, options?: CallOptions): Call<WebhookEndpoint, OperationError<ResourceFailures>>;

  /**
   * Creates a webhook endpoint. Requires the scope `webhooks:write`. It is retried only after a 429, because a second
   * request would create a second endpoint.
   *
   * @beta The specification names this operation without showing it. Its method, path, scope, fields and responses are assumed.
   * @remarks Assumptions: G-WHE-PATHS and G-WHE-URL. docs/rules.md lists them.
   * @throws {@link ApiError} with status 422 when a field is invalid, for example an unsupported `api_version`.
   * @example
   * ```ts
   * const endpoint = await billing.webhooks.createEndpoint({
   *   url: "https://shop.example/webhooks",
   *   format: "raw",
   *   events: ["order.paid"],
   * });
   * ```
   */
  createEndpoint(
    endpoint: WebhookEndpointCreate,
    options?: CallOptions,
  ): Call<WebhookEndpoint, OperationError<ScopedFailures>>;

  /**
   * Changes the given fields of a webhook endpoint. Omitted fields keep their values. Requires the scope
   * `webhooks:write`. It is retried after temporary failures.
   *
   * @beta The specification names this operation without showing it. Its method, path, scope, fields and responses are assumed.
   * @remarks Assumptions: G-WHE-PATHS and G-WHE-URL. docs/rules.md lists them.
   * @param id The endpoint's id, a version 4 UUID.
   * @throws {@link ApiError} with status 404 when no endpoint has that id, and with 422 when a field is invalid.
   * @example
   * ```ts
   * const endpoint = await billing.webhooks.updateEndpoint(
   *   "4a7e3c52-8f1d-4b6a-9c0e-2d5b7f8a1e34",
   *   { enabled: false },
   * );
   * ```
   */
  updateEndpoint(
    id: string,
    changes: WebhookEndpointUpdate,
    options?: CallOptions,
  ): Call<WebhookEndpoint, OperationError<ResourceFailures>>;
}

/** Binds the operations to a client's `send`. */
export function webhooks(send: Send): Webhooks {
  return {
    getEndpoint: (id, options) => send(getWebhookEndpoint, { path: { id } }, options),
    createEndpoint: (endpoint, options) => send(createWebhookEndpoint, { body: endpoint }, options),
    updateEndpoint: (id, changes, options) => send(updateWebhookEndpoint, { path: { id }, body: changes }, options),
  };
}
