import type { Assumptions } from "../assumptions/assumptions.ts";
import type { Credential } from "../state/records.ts";
import type { State } from "../state/state.ts";
import type { Exchange, Reply } from "./exchange.ts";
import { insufficientScope, invalidToken, unauthorized } from "./refusals.ts";

/** Looks up the token that was sent. A request without one goes on, and is refused where an operation needs one. */
export function identify(exchange: Exchange, state: State, assumptions: Assumptions): Reply | undefined {
  const header = exchange.request.headers.get("authorization");
  const token = header === null ? undefined : /^bearer +(\S+) *$/i.exec(header)?.[1];
  if (token === undefined) return undefined;
  const credential = state.tables.credentials.get(token);
  const refusal = refusalOf(credential, exchange.receivedAt, state);
  if (refusal !== undefined) return invalidToken(refusal, assumptions);
  exchange.credential = credential as Credential;
  return undefined;
}

function refusalOf(credential: Credential | undefined, now: number, { tables }: State): string | undefined {
  if (credential === undefined) return "The access token is unknown.";
  if (credential.revoked) return "The access token was revoked.";
  if (credential.expires_at !== null && credential.expires_at <= now) return "The access token has expired.";
  const { user_id, organization_id } = credential;
  const owned = organization_id === null ? tables.users.has(user_id ?? "") : tables.organizations.has(organization_id);
  return owned ? undefined : "The owner of the access token does not exist.";
}

/** Refuses a request without a credential, or with one of a kind that the operation does not accept. */
export function authenticate({ credential, route }: Exchange, assumptions: Assumptions): Reply | undefined {
  if (credential === undefined) return unauthorized(assumptions);
  const { schemes } = (route as NonNullable<typeof route>).operation.security;
  if (schemes.includes(credential.type)) return undefined;
  const description = `The operation accepts ${schemes.join(" and ")} credentials, not ${credential.type}.`;
  return invalidToken(description, assumptions);
}

/** Refuses a credential that holds none of the scopes of which the operation needs one. */
export function authorize({ credential, route }: Exchange, assumptions: Assumptions): Reply | undefined {
  const { scopes } = (route as NonNullable<typeof route>).operation.security;
  if (scopes.length === 0 || scopes.some((scope) => credential?.scopes.includes(scope))) return undefined;
  return insufficientScope(scopes, assumptions);
}

/** The organizations that a credential reaches: its own, or those of its user. */
export function organizationsOf(credential: Credential, state: State): readonly string[] {
  if (credential.organization_id !== null) return [credential.organization_id];
  const { users, organizations } = state.tables;
  const named = users.get(credential.user_id ?? "")?.organization_ids ?? [];
  return named.filter((id) => organizations.has(id));
}
