import { formatTimestamp } from "../clock.ts";
import type { OAuthClient } from "../records.ts";
import { requireScopes } from "../scopes.ts";
import { requireFit } from "./fit.ts";
import { type KindOf, optional, requireText } from "./kind.ts";
import { shapes } from "./shapes.ts";

export const oauthClientKind: KindOf<OAuthClient> = (state, policy) => ({
  name: "OAuth client",
  fields: shapes.oauthClients,
  uuids: [],
  key: ({ client_id }) => client_id,
  make: (given) => ({
    created_at: formatTimestamp(state.clock.now()),
    modified_at: optional(formatTimestamp(state.clock.now()), policy),
    client_id: `client_${state.ids.alphanumeric(16)}`,
    client_name: optional("Test Client", policy),
    client_uri: optional("https://client.example/", policy),
    logo_uri: optional("https://client.example/logo.png", policy),
    tos_uri: optional("https://client.example/terms", policy),
    policy_uri: optional("https://client.example/privacy", policy),
    scopes: ["openid", "profile", "email"],
    requires_single_organization: false,
    ...given,
  }),
  change: (record, changes) => ({ ...record, ...changes, modified_at: formatTimestamp(state.clock.now()) }),
  check: ({ client_id, scopes }) => {
    requireText({ client_id }, "OAuth client");
    requireScopes(scopes, state, "OAuth client");
  },
  fit: (client) => requireFit("OAuth client", client, state),
});
