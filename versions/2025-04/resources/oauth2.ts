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

/** The declared failures of the authorization lookup. */
export interface AuthorizeFailures extends CommonFailures {
  400: InvalidAuthorization;
  422: HTTPValidationError;
}

/** What the authorization lookup can fail with. */
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
  summary: "Look up what an authorization screen needs.",
  security: { schemes: ["oidc", "pat", "oat"], scopes: [] },
  request: { query: AuthorizeQuerySchema },
  response: { status: 200, body: AuthorizeResponseSchema },
  failures: { ...commonFailures, 400: InvalidAuthorizationSchema, 422: HTTPValidationErrorSchema },
  repeatable: () => true,
};

/** The OpenID Connect flow. */
export interface OAuth2 {
  /**
   * Looks up what an authorization screen needs: the client that asks, who authorizes, the scopes and the
   * organizations to choose from. It needs a bearer credential and no particular scope, and is retried.
   *
   * @param query The request of the client; its parameters are the assumption G-AUT-QUERY.
   * @throws {@link ApiError} with status 400 when the client or a scope is unknown.
   * @see Specification, section 4.3
   */
  authorize(query?: AuthorizeQuery, options?: CallOptions): Call<AuthorizeResponse, AuthorizeError>;
}

/** Binds the operations to a client. */
export function oauth2(send: Send): OAuth2 {
  return {
    authorize: (query = {}, options) => send(authorize, { query }, options),
  };
}
