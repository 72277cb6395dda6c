import { errorResponse } from "../http/error-response.ts";
import type { Reply } from "../http/reply.ts";
import type { RequestContext } from "../operations/request-context.ts";
import type { PipelinePolicy } from "./pipeline-policy.ts";

/**
 * Answers a request for the discovery document of OpenID Connect (specification, section 5; G-OIDC). The document is not
 * an operation: it requires neither a credential nor a scope.
 *
 * @returns Undefined for any other path.
 */
export function discover(context: RequestContext, { discovery }: PipelinePolicy): Reply | undefined {
  const { contract, baseUrl, method, path, policy } = context;
  const scheme = contract?.securitySchemes.oidc;
  if (scheme?.type !== "openIdConnect" || path !== scheme.openIdConnectUrl) return undefined;
  if (method !== "GET") return errorResponse(405, policy.unknownRoute.methodNotAllowed, { Allow: "GET" });
  const lookup = contract?.operations.find(({ id }) => id === "oauth2:authorize");
  const body = {
    issuer: baseUrl,
    ...(lookup && { authorization_endpoint: baseUrl + lookup.path }),
    scopes_supported: contract?.scopes,
    ...discovery,
  };
  return { status: 200, body };
}
