import { organizationsOf } from "../engine/credentials.ts";
import { invalidToken, refusal } from "../engine/refusals.ts";
import type { OAuthClient, Organization } from "../state/records.ts";
import type { Tables } from "../state/state.ts";
import type { Behaviour, Call } from "./behaviour.ts";
import { displayNames } from "./scope-names.ts";

interface Query {
  readonly client_id?: string;
  readonly scope?: string;
  readonly sub_type?: Variant;
}

type Variant = "user" | "organization";

/** GET /v1/oauth2/authorize (specification, section 4.3; G-AUT-QUERY, G-AUT-ORG). */
export const authorize: Behaviour = (call) => {
  const { state, assumptions, credential } = call;
  const query = call.query as Query;
  const { unknownClient, unknownScope } = assumptions.authorizeQuery;
  const named = state.tables.oauthClients.get(query.client_id ?? state.defaults.client_id);
  const client = named ?? (unknownClient === "default" ? defaultClient(call) : undefined);
  if (!client) return refuse("invalid_client", `There is no client ${JSON.stringify(query.client_id)}.`);
  const all = call.contract.scopes;
  const asked = query.scope?.split(" ").filter((scope) => scope !== "") ?? client.scopes;
  const unknown = asked.find((scope) => !all.includes(scope));
  if (unknown !== undefined && unknownScope === "reject") {
    return refuse("invalid_scope", `There is no scope ${JSON.stringify(unknown)}.`);
  }
  const organizations = organizationsOf(credential, state).map((id) => organization(id, state.tables));
  const subject = subjectOf(call, organizations);
  if (!subject) return invalidToken("The user of the access token exists no more.", assumptions);
  return {
    data: {
      client,
      ...subject,
      scopes: asked.filter((scope) => all.includes(scope)),
      organizations,
      requires_single_organization: client.requires_single_organization,
      scope_display_names: displayNames(all),
    },
  };
};

function subjectOf(call: Call, organizations: readonly Organization[]): object | undefined {
  const { credential, state, assumptions } = call;
  const { sub_type: asked } = call.query as Query;
  const ownVariant = assumptions.authorizeVariant[credential.type];
  const variant = assumptions.authorizeSubType === "follow-query" ? (asked ?? ownVariant) : ownVariant;
  if (variant === "organization") {
    return { sub_type: "organization", sub: organizations[0] ?? null };
  }
  const user = state.tables.users.get(credential.user_id ?? state.defaults.user_id);
  return user && { sub_type: "user", sub: user };
}

function defaultClient({ state }: Call): OAuthClient | undefined {
  return state.tables.oauthClients.get(state.defaults.client_id);
}

function organization(id: string, { organizations }: Tables): Organization {
  return organizations.get(id) as Organization;
}

function refuse(error: "invalid_client" | "invalid_scope", description: string) {
  return refusal(400, { error, error_description: description });
}
