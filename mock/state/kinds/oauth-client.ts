import { timestamp } from "../clock.ts";
import type { OAuthClient } from "../records.ts";
import { requireScopes } from "../scopes.ts";
import { requireFit } from "./fit.ts";
import { type KindOf, optional, requireText } from "./kind.ts";
import { shapes } from "./shapes.ts";

export const oauthClientKind: KindOf<OAuthClient> = (state, assumptions) => ({
  name: "OAuth client",
  fields: shapes.oauthClients,
  uuids: [],
  key: ({ client_id }) => client_id,
  make: (given) => ({
    created_at: timestamp(state.clock()),
    modified_at: null,
    client_id: `client_${state.identity.alphanumeric(16)}`,
    client_name: optional("Test Client", assumptions),
    client_uri: optional("https://client.example/", assumptions),
    logo_uri: optional("https://client.example/logo.png", assumptions),
    tos_uri: optional("https://client.example/terms", assumptions),
    policy_uri: optional("https://client.example/privacy", assumptions),
    scopes: ["openid", "profile", "email"],
    requires_single_organization: false,
    ...given,
  }),
  change: (record, changes) => ({ ...record, ...changes, modified_at: timestamp(state.clock()) }),
  check: ({ client_id, scopes }) => {
    requireText({ client_id }, "OAuth client");
    requireScopes(scopes, state, "OAuth client");
  },
  fit: (client) => requireFit("OAuth client", client, state),
});
