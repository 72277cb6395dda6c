import { describe, expect, it } from "vitest";
import { openAdapter, problems, testedVersion } from "../support/adapter.ts";
import { versions } from "../support/clients.ts";

describe("the authorization lookup", () => {
  it("AUT-1, AUT-2, AUT-4, G-AUT-NULL: returns the values that a test sets, even null, and defaults for the others", async () => {
    const { mock, client } = await openAdapter();
    const empty = { client_name: null, client_uri: null, logo_uri: null, tos_uri: null, policy_uri: null };
    const { client_id } = mock.oauthClients.create();
    mock.oauthClients.create({ ...empty, client_id: "empty", modified_at: null });
    const lookUp = async (client_id: string, fields: Parameters<typeof mock.users.create>[0] = {}) => {
      const accessToken = mock.issueToken({ type: "pat", user: mock.users.create(fields) });
      return client(testedVersion, { accessToken }).oauth2.authorize({ client_id });
    };
    const text = expect.any(String);
    const filled = await lookUp(client_id);
    expect(Object.values(filled.client)).toEqual(Array(8).fill(text));
    expect([filled.sub?.["avatar_url"], filled.organizations[0]?.avatar_url]).toEqual([text, text]);
    const set = await lookUp("empty", { avatar_url: null });
    expect(set.client).toEqual({ ...empty, client_id: "empty", created_at: text, modified_at: null });
    expect(set.sub?.["avatar_url"]).toBeNull();
    mock.oauthClients.update("empty", { client_name: "Charts" });
    expect((await lookUp("empty")).client).toMatchObject({ client_name: "Charts", modified_at: text });
  });

  it("AUT-1, G-AUT-ORG: returns the public fields of an organization access token's organization", async () => {
    const { mock, client } = await openAdapter();
    const organization = mock.organizations.create();
    const { id, slug, name, avatar_url } = organization;
    const { oauth2 } = client(testedVersion, { accessToken: mock.issueToken({ organization }) });
    const { sub_type, sub } = await oauth2.authorize();
    expect({ sub_type, sub }).toEqual({ sub_type: "organization", sub: { id, slug, name, avatar_url } });
  });

  it("AUT-3, G-AUT-LABELS: returns the requested scopes, by default the client's, with a label for each", async () => {
    const { mock, client } = await openAdapter();
    const data = await client().oauth2.authorize({ scope: "webhooks:read openid  events:write openid" });
    expect(data.scopes).toEqual(["webhooks:read", "openid", "events:write"]);
    expect(Object.keys(data.scope_display_names).sort()).toEqual([...versions[testedVersion].SCOPES].sort());
    for (const label of Object.values(data.scope_display_names)) expect(label).toMatch(/^[a-z ]+$/);
    expect(data.scope_display_names).toMatchObject({ openid: "openid", "custom_fields:read": "custom fields read" });
    mock.oauthClients.create({ client_id: "client-1", scopes: ["orders:read"] });
    expect((await client().oauth2.authorize({ client_id: "client-1" })).scopes).toEqual(["orders:read"]);
  });

  it("AUT-4, G-AUT-QUERY: lists the organizations, and whether one must be chosen, for any parameters of OAuth and OpenID Connect", async () => {
    const { mock, client } = await openAdapter();
    const all = [1, 2, 3].map(() => mock.organizations.create());
    const user = mock.users.create({ organization_ids: all.map(({ id }) => id) });
    const [deleted, ...organizations] = all;
    mock.organizations.delete(deleted?.id ?? "");
    mock.oauthClients.create({ client_id: "single", requires_single_organization: true });
    const { oauth2 } = client(testedVersion, { accessToken: mock.issueToken({ type: "oidc", user }) });
    expect(await oauth2.authorize()).toMatchObject({ organizations, requires_single_organization: false });
    const query = {
      client_id: "single",
      response_type: "code",
      redirect_uri: "https://client.example/callback?a=1&b=2",
      scope: "openid email",
      state: "state",
      nonce: "nonce",
      prompt: "consent",
      code_challenge: "challenge",
      code_challenge_method: "S256",
      sub_type: "user" as const,
    };
    expect((await oauth2.authorize(query)).requires_single_organization).toBe(true);
  });

  it("G-AUT-QUERY, AUT-3: rejects an unknown client and an unknown scope with 400, and an unknown sub_type", async () => {
    const { mock, send } = await openAdapter();
    const ask = (query: string) => send(`GET /v1/oauth2/authorize?${query}`);
    for (const [query, error] of [
      ["client_id=nobody", "invalid_client"],
      ["scope=openid%20nobody", "invalid_scope"],
    ] as const) {
      const body = { error, error_description: expect.stringContaining("nobody") };
      expect(await ask(query)).toMatchObject({ status: 400, body });
    }
    expect(problems(await ask("sub_type=robot"))).toEqual(["query.sub_type enum"]);
    const client_id = String(mock.oauthClients.list()[0]?.client_id);
    mock.oauthClients.delete(client_id);
    expect(await ask("")).toMatchObject({ status: 400, body: { error_description: `Unknown client "${client_id}".` } });
  });
});
