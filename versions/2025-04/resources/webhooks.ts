import * as z from "zod/mini";
import type { Call, CallOptions, OperationError, Send } from "../../../src/client/index.ts";
import type { Operation, Schema } from "../../../src/contract/index.ts";
import {
  type HTTPValidationError,
  HTTPValidationErrorSchema,
  type NotFound,
  NotFoundSchema,
  type ResourceNotFound,
  ResourceNotFoundSchema,
} from "../models/error.ts";
import {
  type WebhookEndpoint,
  type WebhookEndpointCreate,
  WebhookEndpointCreateSchema,
  WebhookEndpointSchema,
  type WebhookEndpointUpdate,
  WebhookEndpointUpdateSchema,
} from "../models/webhook-endpoint.ts";
import { type ScopedFailures, scopedFailures } from "./failures.ts";

/** The error bodies that `webhooks.getEndpoint` and `webhooks.updateEndpoint` declare, by status. */
export interface GetWebhookEndpointFailures extends Omit<ScopedFailures, 404> {
  404: ResourceNotFound | NotFound;
  422: HTTPValidationError;
}

/** The errors of `webhooks.getEndpoint`. */
export type GetWebhookEndpointError = OperationError<GetWebhookEndpointFailures>;

/** The error bodies that `webhooks.createEndpoint` declares, by status. */
export interface CreateWebhookEndpointFailures extends ScopedFailures {
  422: HTTPValidationError;
}

/** The errors of `webhooks.createEndpoint`. */
export type CreateWebhookEndpointError = OperationError<CreateWebhookEndpointFailures>;

/** The errors of `webhooks.updateEndpoint`. */
export type UpdateWebhookEndpointError = OperationError<GetWebhookEndpointFailures>;

interface EndpointPath {
  id: string;
}

const EndpointPathSchema: Schema<EndpointPath> = z.object({ id: z.uuidv4() });

const endpointFailures: Operation<GetWebhookEndpoint>["failures"] = {
  ...scopedFailures,
  404: z.union([ResourceNotFoundSchema, NotFoundSchema]),
  422: HTTPValidationErrorSchema,
};

interface GetWebhookEndpoint {
  path: EndpointPath;
  data: WebhookEndpoint;
  failures: GetWebhookEndpointFailures;
}

export const getWebhookEndpoint: Operation<GetWebhookEndpoint> = {
  id: "webhooks:get_webhook_endpoint",
  method: "GET",
  path: "/v1/webhooks/endpoints/{id}",
  summary: "Get a webhook endpoint by its id.",
  security: { schemes: ["oidc", "pat", "oat"], scopes: ["webhooks:read", "webhooks:write"] },
  request: { path: EndpointPathSchema },
  response: { status: 200, body: WebhookEndpointSchema },
  failures: endpointFailures,
  repeatable: () => true,
};

interface CreateWebhookEndpoint {
  body: WebhookEndpointCreate;
  data: WebhookEndpoint;
  failures: CreateWebhookEndpointFailures;
}

export const createWebhookEndpoint: Operation<CreateWebhookEndpoint> = {
  id: "webhooks:create_webhook_endpoint",
  method: "POST",
  path: "/v1/webhooks/endpoints",
  summary: "Create a webhook endpoint.",
  gap: "G-WHE-PATHS",
  security: { schemes: ["oidc", "pat", "oat"], scopes: ["webhooks:write"] },
  request: { body: WebhookEndpointCreateSchema },
  response: { status: 201, body: WebhookEndpointSchema },
  failures: { ...scopedFailures, 422: HTTPValidationErrorSchema },
  repeatable: () => "a second request could create a second endpoint",
};

interface UpdateWebhookEndpoint {
  path: EndpointPath;
  body: WebhookEndpointUpdate;
  data: WebhookEndpoint;
  failures: GetWebhookEndpointFailures;
}

export const updateWebhookEndpoint: Operation<UpdateWebhookEndpoint> = {
  id: "webhooks:update_webhook_endpoint",
  method: "PATCH",
  path: "/v1/webhooks/endpoints/{id}",
  summary: "Update a webhook endpoint.",
  gap: "G-WHE-PATHS",
  security: { schemes: ["oidc", "pat", "oat"], scopes: ["webhooks:write"] },
  request: { path: EndpointPathSchema, body: WebhookEndpointUpdateSchema },
  response: { status: 200, body: WebhookEndpointSchema },
  failures: endpointFailures,
  repeatable: () => true,
};

/** Calls the operations on webhook endpoints. */
export interface Webhooks {
  /**
   * Gets a webhook endpoint by its id. Requires the scope `webhooks:read` or `webhooks:write`. It is retried.
   *
   * @param id The endpoint's id, a version 4 UUID.
   * @throws {@link ApiError} with status 404 when no endpoint has that id, and with 422 when `id` is not a version 4 UUID.
   * @see Specification, section 4.1
   */
  getEndpoint(id: string, options?: CallOptions): Call<WebhookEndpoint, GetWebhookEndpointError>;

  /**
   * Creates a webhook endpoint. Requires the scope `webhooks:write`. It is retried only after a 429, since a second
   * request would create a second endpoint.
   *
   * @beta The specification names this operation without showing it. Its method, path, scope, fields and responses are an
   * assumption (G-WHE-PATHS).
   * @throws {@link ApiError} with status 422 when a field is invalid, for example an unsupported `api_version`.
   */
  createEndpoint(
    endpoint: WebhookEndpointCreate,
    options?: CallOptions,
  ): Call<WebhookEndpoint, CreateWebhookEndpointError>;

  /**
   * Changes the given fields of a webhook endpoint. Omitted fields keep their values. Requires the scope
   * `webhooks:write`. It is retried.
   *
   * @beta The specification names this operation without showing it. Its method, path, scope, fields and responses are an
   * assumption (G-WHE-PATHS).
   * @param id The endpoint's id, a version 4 UUID.
   * @throws {@link ApiError} with status 404 when no endpoint has that id, and with 422 when a field is invalid.
   */
  updateEndpoint(
    id: string,
    changes: WebhookEndpointUpdate,
    options?: CallOptions,
  ): Call<WebhookEndpoint, UpdateWebhookEndpointError>;
}

/** Binds the operations to a client's `send`. */
export function webhooks(send: Send): Webhooks {
  return {
    getEndpoint: (id, options) => send(getWebhookEndpoint, { path: { id } }, options),
    createEndpoint: (endpoint, options) => send(createWebhookEndpoint, { body: endpoint }, options),
    updateEndpoint: (id, changes, options) => send(updateWebhookEndpoint, { path: { id }, body: changes }, options),
  };
}
