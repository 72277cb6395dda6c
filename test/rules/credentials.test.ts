import { describe, expect, it } from "vitest";
import { openAdapter, testedVersion } from "../support/adapter.ts";
import { versions } from "../support/clients.ts";
import { NOBODY } from "../support/samples.ts";

const READ = "GET /v1/products/";
const DISCOVERY = "GET /.well-known/openid-configuration";

describe("the Authorization header", () => {
  it.each([
    ["the scheme in lower case", (token: string) => `bearer ${token}`, 200],
    ["spaces around and between", (token: string) => `  BEARER   ${token}  `, 200],
    ["Basic authentication", (token: string) => `Basic ${btoa(`user:${token}`)}`, 401],
    ["the token alone", (token: string) => token, 401],
    ["the scheme alone", () => "Bearer", 401],
    ["no space", (token: string) => `Bearer${token}`, 401],
    ["two tokens", (token: string) => `Bearer ${token} ${token}`, 401],
    ["two credentials", (token: string) => `Bearer ${token}, Bearer ${token}`, 401],
    ["half of the token", (token: string) => `Bearer ${token.slice(0, -1)}`, 401],
    ["the token in upper case", (token: string) => `Bearer ${token.toUpperCase()}`, 401],
  ])("SEC-1: with %s", async (_what, write, status) => {
    const { mock, send } = await openAdapter();
    const headers = { Authorization: write(mock.issueToken()) };
    expect((await send(READ, { token: null, headers })).status).toBe(status);
  });

  it("SEC-1: is the only place for the token", async () => {
    const { mock, send } = await openAdapter();
    const token = mock.issueToken();
    expect((await send(`${READ}?access_token=${token}`, { token: null })).status).toBe(401);
    const headers = { "X-Api-Key": token, Cookie: `access_token=${token}` };
    expect((await send(READ, { token: null, headers })).status).toBe(401);
  });
});

describe("a rejected credential", () => {
  it("G-401-BAD, G-OWNER: is unknown, expired or revoked, or its owner is gone; no response repeats it", async () => {
    const { mock, send } = await openAdapter();
    const [organization, user] = [mock.organizations.create(), mock.users.create()];
    const [revoked, expired] = [mock.issueToken(), mock.issueToken({ expiresIn: 0 })];
    const orphans = [mock.issueToken({ organization }), mock.issueToken({ type: "pat", user })];
    mock.revokeToken(revoked);
    mock.organizations.delete(organization.id);
    mock.users.delete(user.id);
    for (const token of ["unknown-token", revoked, expired, ...orphans]) {
      const { status, body, headers } = await send(READ, { token });
      const error_description = expect.stringContaining(token === expired ? "expired" : "");
      expect({ status, body }).toEqual({ status: 401, body: { error: "invalid_token", error_description } });
      const challenge = headers.get("www-authenticate");
      expect(challenge).toMatch(/^Bearer realm="billing-service", error="invalid_token"/);
      expect(JSON.stringify(body) + challenge).not.toContain(token);
    }
    expect((await send(READ, { token: mock.issueToken({ expiresIn: 60 }) })).status).toBe(200);
  });

  it("G-403, GET-4: lacks the scope; the response names the scopes of which one is required", async () => {
    const { mock, send } = await openAdapter();
    const token = mock.issueToken({ scopes: ["openid"] });
    const { status, body, headers } = await send(`GET /v1/webhooks/endpoints/${NOBODY}`, { token });
    const error_description = expect.stringContaining("webhooks:read, webhooks:write");
    expect({ status, body }).toEqual({ status: 403, body: { error: "insufficient_scope", error_description } });
    expect(headers.get("www-authenticate")).toMatch(
      /^Bearer realm="billing-service", error="insufficient_scope", .*scope="webhooks:read webhooks:write"$/,
    );
  });
});

describe("a token with every scope except the operation's", () => {
  it.each([
    ["POST /v1/events/ingest", ["events:write"]],
    [`GET /v1/webhooks/endpoints/${NOBODY}`, ["webhooks:read", "webhooks:write"]],
    [`PATCH /v1/webhooks/endpoints/${NOBODY}`, ["webhooks:write"]],
    ["POST /v1/webhooks/endpoints", ["webhooks:write"]],
    [READ, ["products:read", "products:write"]],
  ])("ING-3, GET-4, G-403: receives 403 for %s", async (line, needed) => {
    const { mock, send } = await openAdapter();
    const scopes = versions[testedVersion].SCOPES.filter((scope) => !needed.includes(scope));
    expect((await send(line, { token: mock.issueToken({ scopes }) })).status).toBe(403);
  });
});

describe("the discovery document", () => {
  it("SEC-2, G-OIDC: is available without a credential; its authorization endpoint exists, and other OAuth paths return 404", async () => {
    const { send, baseUrl, mock } = await openAdapter();
    const { status, body } = await send(DISCOVERY, { token: null });
    const path = "/v1/oauth2/authorize";
    expect({ status, body }).toEqual({
      status: 200,
      body: {
        issuer: baseUrl,
        authorization_endpoint: `${baseUrl}${path}`,
        scopes_supported: expect.arrayContaining(["openid", "webhooks:read"]),
        response_types_supported: ["code"],
      },
    });
    expect((await send(`GET ${path}`, { token: mock.issueToken({ type: "oidc" }) })).status).toBe(200);
    for (const line of ["POST /v1/oauth2/token", "GET /v1/oauth2/userinfo", `${DISCOVERY}/more`]) {
      expect((await send(line)).status).toBe(404);
    }
  });
});
