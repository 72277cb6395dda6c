import { badRequest } from "../http/error-replies.ts";
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
  return {
    data: {
      client,
      ...subjectOf(context, organizations),
      scopes: [...new Set(asked ?? client.scopes)].filter((scope) => all.includes(scope)),
      organizations,
      requires_single_organization: client.requires_single_organization,
      scope_display_names: Object.fromEntries(all.map((scope) => [scope, scope.replaceAll(/[:_]/g, " ")])),
    },
  };
}

/** Returns the organization of an `oat`, and the user of any other credential. */
function subjectOf({ credential, state }: OperationContext, [first]: readonly Organization[]): object {
  if (credential.type === "oat") return { sub_type: "organization", sub: publicFields(first as Organization) };
  return { sub_type: "user", sub: state.tables.users.get(credential.user_id as string) };
}

/** Returns the fields of an organization. The contract accepts any (G-AUT-OPEN), so it does not select them. */
function publicFields({ id, slug, name, avatar_url }: Organization): object {
  return { id, slug, name, avatar_url };
}
