import { badRequest, invalidToken } from "../http/error-replies.ts";
import type { Reply } from "../http/messages.ts";
import type { Organization } from "../state/records.ts";
import {
  type Input,
  type OperationContext,
  type OperationHandler,
  organizationsOf,
  type Success,
} from "./operation.ts";

interface Query {
  readonly client_id?: string;
  readonly scope?: string;
}

/** GET /v1/oauth2/authorize (specification, section 4.3; G-AUT-QUERY, G-AUT-ORG). */
export const authorize: OperationHandler = { handle: lookUp };

function lookUp(context: OperationContext, input: Input): Success | Reply {
  const { state, credential } = context;
  const query = input.query as Query;
  const id = query.client_id ?? state.defaults.client_id;
  const client = state.tables.oauthClients.get(id);
  if (!client) return badRequest("invalid_client", `Unknown client ${JSON.stringify(id)}.`);
  const all = context.contract.scopes;
  const asked = query.scope?.split(" ").filter((scope) => scope !== "");
  const unknown = asked?.find((scope) => !all.includes(scope));
  if (unknown !== undefined) return badRequest("invalid_scope", `Unknown scope ${JSON.stringify(unknown)}.`);
  const { tables } = state;
  const organizations = organizationsOf(credential, state).map((id) => tables.organizations.get(id) as Organization);
  const subject = subjectOf(context, organizations);
  if (!subject) return invalidToken("The user of the access token no longer exists.");
  return {
    data: {
      client,
      ...subject,
      scopes: [...new Set(asked ?? client.scopes)].filter((scope) => all.includes(scope)),
      organizations,
      requires_single_organization: client.requires_single_organization,
      scope_display_names: Object.fromEntries(all.map((scope) => [scope, scope.replaceAll(/[:_]/g, " ")])),
    },
  };
}

function subjectOf(
  { credential, state, assumptions }: OperationContext,
  organizations: readonly Organization[],
): object | undefined {
  if (assumptions.authorizeVariant[credential.type] === "organization")
    return { sub_type: "organization", sub: publicFields(organizations[0]) };
  const user = state.tables.users.get(credential.user_id ?? state.defaults.user_id);
  return user && { sub_type: "user", sub: user };
}

/** Returns the fields of an organization. The contract accepts any (G-AUT-OPEN), so it does not select them. */
function publicFields(organization: Organization | undefined): object | null {
  if (organization === undefined) return null;
  const { id, slug, name, avatar_url } = organization;
  return { id, slug, name, avatar_url };
}
