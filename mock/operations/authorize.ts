import type { AuthorizeVariant } from "../assumptions/assumptions.ts";
import { badRequest, invalidToken } from "../http/error-replies.ts";
import type { Reply } from "../http/response.ts";
import type { OAuthClient, Organization } from "../state/records.ts";
import type { Input, OperationContext, OperationHandler, Success } from "./operation.ts";
import { organizationsOf } from "./organization-field.ts";

interface Query {
  readonly client_id?: string;
  readonly scope?: string;
  readonly sub_type?: AuthorizeVariant;
}

/** GET /v1/oauth2/authorize (specification, section 4.3; G-AUT-QUERY, G-AUT-ORG). */
export const authorize: OperationHandler = { handle: lookUp };

function lookUp(context: OperationContext, input: Input): Success | Reply {
  const { state, assumptions, credential } = context;
  const query = input.query as Query;
  const client = findClient(query, context);
  const id = query.client_id ?? state.defaults.client_id;
  if (!client) return badRequest("invalid_client", `Unknown client ${JSON.stringify(id)}.`);
  const all = context.contract.scopes;
  const asked = query.scope?.split(" ").filter((scope) => scope !== "");
  const unknown = asked?.find((scope) => !all.includes(scope));
  if (unknown !== undefined && assumptions.authorizeQuery.unknownScope === "reject") {
    return badRequest("invalid_scope", `Unknown scope ${JSON.stringify(unknown)}.`);
  }
  const { tables } = state;
  const organizations = organizationsOf(credential, state).map((id) => tables.organizations.get(id) as Organization);
  const subject = subjectOf(query, context, organizations);
  if (!subject) return invalidToken("The user of the access token no longer exists.");
  return {
    data: {
      client,
      ...subject,
      scopes: [...new Set(asked ?? client.scopes)].filter((scope) => all.includes(scope)),
      organizations,
      requires_single_organization: client.requires_single_organization,
      scope_display_names: Object.fromEntries(all.map((scope) => [scope, displayName(scope)])),
    },
  };
}

function findClient(
  query: Query,
  { state: { tables, defaults }, assumptions }: OperationContext,
): OAuthClient | undefined {
  const named = tables.oauthClients.get(query.client_id ?? defaults.client_id);
  if (named || assumptions.authorizeQuery.unknownClient === "reject") return named;
  return tables.oauthClients.get(defaults.client_id);
}

function subjectOf(
  { sub_type: asked }: Query,
  { credential, state, assumptions }: OperationContext,
  organizations: readonly Organization[],
): object | undefined {
  const ownVariant = assumptions.authorizeVariant[credential.type];
  const variant = assumptions.authorizeSubType === "follow-query" ? (asked ?? ownVariant) : ownVariant;
  if (variant === "organization") return { sub_type: "organization", sub: publicFields(organizations[0]) };
  const user = state.tables.users.get(credential.user_id ?? state.defaults.user_id);
  return user && { sub_type: "user", sub: user };
}

/** Returns the fields of an organization. The contract accepts any (G-AUT-OPEN), so it does not select them. */
function publicFields(organization: Organization | undefined): object | null {
  if (organization === undefined) return null;
  const { id, slug, name, avatar_url } = organization;
  return { id, slug, name, avatar_url };
}

/** Returns a readable label, such as "Read webhooks" for `webhooks:read`. */
function displayName(scope: string): string {
  const [resource = "", access] = scope.split(":");
  const words = resource.replaceAll("_", " ").replace("openid", "openID");
  if (access === undefined) return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
  return `${access.charAt(0).toUpperCase()}${access.slice(1)} ${words}`;
}
