import type { Call, CallOptions, OperationError, Send } from "../../../src/client/index.ts";
import type { Operation } from "../../../src/contract/index.ts";
import {
  type AuthorizeQuery,
  AuthorizeQuerySchema,
  type AuthorizeResponse,
  AuthorizeResponseSchema,
} from "../models/authorize-response.ts";
import {
  type HTTPValidationError,
  HTTPValidationErrorSchema,
  type InvalidAuthorization,
  InvalidAuthorizationSchema,
} from "../models/error.ts";
import { type CommonFailures, commonFailures } from "./failures.ts";

/** The error bodies that `oauth2.authorize` declares, by status. */
export interface AuthorizeFailures extends CommonFailures {
  400: InvalidAuthorization;
  422: HTTPValidationError;
}

/** The errors of `oauth2.authorize`. */
export type AuthorizeError = OperationError<AuthorizeFailures>;

interface Authorize {
  query: AuthorizeQuery;
  data: AuthorizeResponse;
  failures: AuthorizeFailures;
}

export const authorize: Operation<Authorize> = {
  id: "oauth2:authorize",
  method: "GET",
  path: "/v1/oauth2/authorize",
  summary: "Look up the data of an authorization screen.",
  security: { schemes: ["oidc", "pat", "oat"], scopes: [] },
  request: { query: AuthorizeQuerySchema },
  response: { status: 200, body: AuthorizeResponseSchema },
  failures: { ...commonFailures, 400: InvalidAuthorizationSchema, 422: HTTPValidationErrorSchema },
  repeatable: () => true,
};

/** Calls the operations of the OpenID Connect flow. */
export interface OAuth2 {
  /**
   * Looks up the data of an authorization screen: the client, who authorizes, the requested scopes and the organizations
   * to select from. Requires a bearer credential, but no particular scope. It is retried.
   *
   * @param query The client's authorization request. Its parameters are an assumption (G-AUT-QUERY).
   * @throws {@link ApiError} with status 400 when the client or a scope is unknown.
   * @see Specification, section 4.3
   */
  authorize(query?: AuthorizeQuery, options?: CallOptions): Call<AuthorizeResponse, AuthorizeError>;
}

/** Binds the operations to a client's `send`. */
export function oauth2(send: Send): OAuth2 {
  return {
    authorize: (query = {}, options) => send(authorize, { query }, options),
  };
}
