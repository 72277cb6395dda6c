import { insufficientScope, invalidToken, unauthorized } from "../http/error-response.ts";
import type { Reply } from "../http/reply.ts";
import type { RequestContext, Route } from "../operations/request-context.ts";
import type { Credential } from "../state/records.ts";
import type { State } from "../state/state.ts";

/** Looks up the token of a request. A request without a token passes; `authenticate` rejects it later. */
export function identify(context: RequestContext): Reply | undefined {
  const header = context.request.headers.get("authorization");
  const token = header === null ? undefined : /^bearer +(\S+) *$/i.exec(header)?.[1];
  if (token === undefined) return undefined;
  const credential = context.state.tables.credentials.get(token);
  const problem = problemOf(credential, context.receivedAt, context.state);
  if (problem !== undefined) return invalidToken(problem, context.policy);
  context.credential = credential as Credential;
  return undefined;
}

function problemOf(credential: Credential | undefined, now: number, { tables }: State): string | undefined {
  if (credential === undefined) return "The access token is unknown.";
  if (credential.revoked) return "The access token was revoked.";
  if (credential.expires_at !== null && credential.expires_at <= now) return "The access token has expired.";
  const { user_id, organization_id } = credential;
  const owned = organization_id === null ? tables.users.has(user_id ?? "") : tables.organizations.has(organization_id);
  return owned ? undefined : "The owner of the access token does not exist.";
}

/** Rejects a request without a credential, or with a kind of credential that the operation does not accept. */
export function authenticate({ credential, route, policy }: RequestContext): Reply | undefined {
  if (credential === undefined) return unauthorized(policy);
  const { schemes } = (route as Route).operation.security;
  if (schemes.includes(credential.type)) return undefined;
  const description = `The operation accepts ${schemes.join(" and ")} credentials, not ${credential.type}.`;
  return invalidToken(description, policy);
}

/** Rejects a credential without any of the scopes of which the operation requires one. */
export function requireScope({ credential, route, policy }: RequestContext): Reply | undefined {
  const { scopes } = (route as Route).operation.security;
  if (scopes.length === 0 || scopes.some((scope) => credential?.scopes.includes(scope))) return undefined;
  return insufficientScope(scopes, policy);
}
