import type { Assumptions } from "../assumptions/assumptions.ts";
import type { Exchange, Reply } from "./exchange.ts";
import { refusal } from "./refusals.ts";

/**
 * Answers a request for the discovery document of OpenID Connect (specification, section 5; G-OIDC). It is no operation:
 * it needs no credential, and no scope. Undefined at any other path.
 */
export function discover(exchange: Exchange, { discovery, unknownRoute }: Assumptions): Reply | undefined {
  const { contract, baseUrl, method, path } = exchange;
  const scheme = contract?.securitySchemes.oidc;
  if (scheme?.type !== "openIdConnect" || path !== scheme.openIdConnectUrl) return undefined;
  if (method !== "GET") return refusal(405, unknownRoute.methodNotAllowed, { Allow: "GET" });
  const lookup = contract?.operations.find(({ id }) => id === "oauth2:authorize");
  const body = {
    issuer: baseUrl,
    ...(lookup && { authorization_endpoint: baseUrl + lookup.path }),
    scopes_supported: contract?.scopes,
    ...discovery,
  };
  return { status: 200, body };
}
