import { formatTimestamp } from "../clock/clock.ts";
import type { State } from "./state.ts";

/**
 * Stores the organization, the user and the OAuth client that apply when a test names none. They are not checked against the
 * contracts, because a contract may require a field that only a test can set.
 */
export function createDefaultRecords({ tables, clock, defaults }: State): void {
  const { organization_id, user_id, client_id } = defaults;
  const now = formatTimestamp(clock.now());
  tables.organizations.set(organization_id, {
    id: organization_id,
    slug: "default",
    name: "Default Organization",
    avatar_url: "https://organizations.example/default.png",
  });
  tables.users.set(user_id, {
    id: user_id,
    email: "user@example.com",
    avatar_url: "https://users.example/avatar.png",
    organization_ids: [organization_id],
  });
  tables.oauthClients.set(client_id, {
    created_at: now,
    modified_at: now,
    client_id,
    client_name: "Default Client",
    client_uri: "https://client.example/",
    logo_uri: "https://client.example/logo.png",
    tos_uri: "https://client.example/terms",
    policy_uri: "https://client.example/privacy",
    scopes: ["openid", "profile", "email"],
    requires_single_organization: false,
  });
}
