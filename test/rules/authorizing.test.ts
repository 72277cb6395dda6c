import { describe, expect, it } from "vitest";
import { openAdapter, problems } from "../support/adapter.ts";
import { versionNames, versions } from "../support/clients.ts";
import { TIMESTAMP } from "../support/samples.ts";

const AUTHORIZE = "GET /v1/oauth2/authorize";

describe.each(versionNames)("the authorization lookup in %s", (version) => {
  it("AUT-2: names the client with only the specified fields", async () => {
    const { mock, client } = await openAdapter();
    const filled = {
      client_id: "client-1",
      client_name: "Reports",
      client_uri: "https://reports.example/",
      logo_uri: "https://reports.example/logo.png",
      tos_uri: "https://reports.example/terms",
      policy_uri: "https://reports.example/privacy",
    };
    mock.oauthClients.create(filled);
    const first = await client(version).oauth2.authorize({ client_id: "client-1" });
    const times = { created_at: expect.stringMatching(TIMESTAMP), modified_at: expect.stringMatching(TIMESTAMP) };
    expect(first.client).toEqual({ ...filled, ...times });
    mock.oauthClients.update("client-1", { client_name: "Charts" });
    const second = await client(version).oauth2.authorize({ client_id: "client-1" });
    expect(second.client).toMatchObject({ client_name: "Charts", modified_at: expect.stringMatching(TIMESTAMP) });
  });

  it("AUT-3, G-AUT-LABELS: returns the requested scopes, and a label for every scope", async () => {
    const { client } = await openAdapter();
    const data = await client(version).oauth2.authorize({ scope: "webhooks:read openid  events:write" });
    expect(data.scopes).toEqual(["webhooks:read", "openid", "events:write"]);
    expect(Object.keys(data.scope_display_names).sort()).toEqual([...versions[version].SCOPES].sort());
    for (const label of Object.values(data.scope_display_names)) expect(label).toMatch(/^[A-Z][A-Za-z ]+$/);
  });

  it("AUT-3: returns the client's own scopes if none are requested", async () => {
    const { mock, client } = await openAdapter();
    mock.oauthClients.create({ client_id: "client-1", scopes: ["orders:read"] });
    expect((await client(version).oauth2.authorize({ client_id: "client-1" })).scopes).toEqual(["orders:read"]);
  });

  it("AUT-4: lists the organizations, and whether exactly one must be chosen", async () => {
    const { mock, client } = await openAdapter();
    const [one, two] = [mock.organizations.create(), mock.organizations.create()];
    const user = mock.users.create({ organization_ids: [one.id, two.id] });
    mock.oauthClients.create({ client_id: "single", requires_single_organization: true });
    const { oauth2 } = client(version, { accessToken: mock.issueToken({ type: "oidc", user }) });
    const data = await oauth2.authorize();
    expect(data.organizations).toEqual([one, two]);
    expect(Object.keys(data.organizations[0] ?? {}).sort()).toEqual(["avatar_url", "id", "name", "slug"]);
    expect(data.requires_single_organization).toBe(false);
    expect((await oauth2.authorize({ client_id: "single" })).requires_single_organization).toBe(true);
  });
});

describe("the query of the authorization lookup", () => {
  it.each(versionNames)(
    "G-AUT-QUERY: accepts the parameters of OAuth and OpenID Connect, all optional, in %s",
    async (version) => {
      const { mock, client } = await openAdapter();
      const { oauth2 } = client(version);
      const query = {
        client_id: mock.oauthClients.create().client_id,
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
      expect((await oauth2.authorize(query)).client.client_id).toBe(query.client_id);
      expect((await oauth2.authorize()).client.client_id).toBe(mock.oauthClients.list()[0]?.client_id);
    },
  );

  it("G-AUT-QUERY: returns 400 invalid_client for an unknown client", async () => {
    const { client } = await openAdapter();
    const { error } = await client().oauth2.authorize({ client_id: "nobody" }).safe();
    const body = { error: "invalid_client", error_description: expect.stringContaining("nobody") };
    expect(error).toMatchObject({ status: 400, body });
  });

  it("G-AUT-QUERY, AUT-3: returns 400 invalid_scope for an unknown scope", async () => {
    const { client } = await openAdapter();
    const { error } = await client().oauth2.authorize({ scope: "openid everything" }).safe();
    const body = { error: "invalid_scope", error_description: expect.stringContaining("everything") };
    expect(error).toMatchObject({ status: 400, body });
  });

  it("G-AUT-QUERY: returns 422 for an unknown sub_type", async () => {
    const { send } = await openAdapter();
    for (const version of versionNames) {
      expect(problems(await send(`${AUTHORIZE}?sub_type=robot`, { version }))).toEqual(["query.sub_type enum"]);
    }
  });
});

describe("the authorize response with other assumptions", () => {
  it("G-AUT-ORG, G-OWNER: returns 401 for the user variant without a user", async () => {
    const authorizeVariant = { oidc: "user", pat: "user", oat: "user" } as const;
    const { mock, client } = await openAdapter({ assumptions: { authorizeVariant } });
    for (const { id } of mock.users.list()) mock.users.delete(id);
    const { error } = await client().oauth2.authorize().safe();
    expect(error).toMatchObject({ status: 401, code: "invalid_token" });
  });

  it("G-AUT-ORG: returns null if there is no organization", async () => {
    const authorizeVariant = { oidc: "organization", pat: "organization", oat: "organization" } as const;
    const { mock, client } = await openAdapter({ assumptions: { authorizeVariant } });
    const user = mock.users.create({ organization_ids: [] });
    for (const version of versionNames) {
      const { oauth2 } = client(version, { accessToken: mock.issueToken({ type: "pat", user }) });
      const expected = { sub_type: "organization", sub: null, organizations: [] };
      expect(await oauth2.authorize()).toMatchObject(expected);
    }
  });

  it("G-AUT-NULL: a record can leave fields null", async () => {
    const { mock, client } = await openAdapter();
    const empty = { client_name: null, client_uri: null, logo_uri: null, tos_uri: null, policy_uri: null };
    const { client_id } = mock.oauthClients.create({ ...empty, modified_at: null });
    const user = mock.users.create({ avatar_url: null });
    const accessToken = mock.issueToken({ type: "pat", user });
    const data = await client("2025-01", { accessToken }).oauth2.authorize({ client_id });
    expect(data.client).toMatchObject({ ...empty, modified_at: null });
    expect(data.sub?.["avatar_url"]).toBeNull();
  });

  it("AUT-1, AUT-2, AUT-4, G-AUT-NULL: fields that a test leaves out are filled in", async () => {
    const { mock, client } = await openAdapter();
    const text = expect.any(String);
    const accessToken = mock.issueToken({ type: "pat" });
    const query = { client_id: mock.oauthClients.create().client_id };
    for (const version of versionNames) {
      const data = await client(version, { accessToken }).oauth2.authorize(query);
      expect(Object.values(data.client)).toEqual(Array(8).fill(text));
      expect(data.sub?.avatar_url).toEqual(text);
      expect(data.organizations[0]?.avatar_url).toEqual(text);
    }
  });
});
