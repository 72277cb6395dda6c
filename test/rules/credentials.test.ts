import { describe, expect, it } from "vitest";
import { openAdapter, type Sent } from "../support/adapter.ts";
import { versionNames } from "../support/clients.ts";
import { endpointInput, NOBODY, usage } from "../support/samples.ts";

/** Every operation, with what it needs to succeed. */
const OPERATIONS: readonly (readonly [string, Sent])[] = [
  [`GET /v1/webhooks/endpoints/${NOBODY}`, {}],
  ["POST /v1/webhooks/endpoints", { json: endpointInput() }],
  [`PATCH /v1/webhooks/endpoints/${NOBODY}`, { json: {} }],
  ["POST /v1/events/ingest", { json: { events: [usage()] } }],
  ["GET /v1/oauth2/authorize", {}],
  ["GET /v1/products/", {}],
];

const READ = "GET /v1/products/";

describe.each(versionNames)("every operation in %s", (version) => {
  it.each(OPERATIONS)("SEC-1, G-401-BAD: %s returns 401 invalid_token for an unknown token", async (line, sent) => {
    const { mock, send } = await openAdapter();
    const { status, body, headers } = await send(line, { ...sent, version, token: "unknown-token" });
    expect({ status, body }).toMatchObject({ status: 401, body: { error: "invalid_token" } });
    expect(headers.get("www-authenticate")).toMatch(/^Bearer realm="billing-service", error="invalid_token"/);
    expect(JSON.stringify(body) + headers.get("www-authenticate")).not.toContain("unknown-token");
    expect(mock.events.size + mock.webhookEndpoints.size).toBe(0);
  });
});

describe("the Authorization header", () => {
  it.each([
    ["the scheme in lower case", (token: string) => `bearer ${token}`, 200],
    ["the scheme in upper case", (token: string) => `BEARER ${token}`, 200],
    ["several spaces", (token: string) => `Bearer   ${token}`, 200],
    ["spaces at both ends", (token: string) => `  Bearer ${token}  `, 200],
    ["Basic authentication", (token: string) => `Basic ${btoa(`user:${token}`)}`, 401],
    ["the token under another scheme", (token: string) => `Token ${token}`, 401],
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

  it("SEC-1: is the only place for the token; query and cookies do not count", async () => {
    const { mock, send } = await openAdapter();
    const token = mock.issueToken();
    expect((await send(`${READ}?access_token=${token}`, { token: null })).status).toBe(401);
    expect((await send(READ, { token: null, headers: { "X-Api-Key": token } })).status).toBe(401);
    expect((await send(READ, { token: null, headers: { Cookie: `access_token=${token}` } })).status).toBe(401);
  });
});

describe("a rejected credential", () => {
  it("G-401-BAD: has expired, starting at its time of expiry", async () => {
    const { mock, client } = await openAdapter();
    const expired = client("2025-01", { accessToken: mock.issueToken({ expiresIn: 0 }) });
    const { error } = await expired.products.list().safe();
    const body = { error: "invalid_token", error_description: expect.stringContaining("expired") };
    expect(error).toMatchObject({ status: 401, code: "invalid_token", body });
    const valid = client("2025-01", { accessToken: mock.issueToken({ expiresIn: 60 }) });
    expect((await valid.products.list()).items).toEqual([]);
  });

  it("G-401-BAD: was revoked", async () => {
    const { mock, send } = await openAdapter();
    const [token, other] = [mock.issueToken(), mock.issueToken()];
    mock.revokeToken(token);
    expect(await send(READ, { token })).toMatchObject({ status: 401, body: { error: "invalid_token" } });
    expect((await send(READ, { token: other })).status).toBe(200);
  });

  it("G-401-BAD, G-OWNER: belongs to an organization or a user that no longer exists", async () => {
    const { mock, send } = await openAdapter();
    const [organization, user] = [mock.organizations.create(), mock.users.create()];
    const tokens = [mock.issueToken({ organization }), mock.issueToken({ type: "pat", user })];
    mock.organizations.delete(organization.id);
    mock.users.delete(user.id);
    for (const token of tokens) {
      expect(await send(READ, { token })).toMatchObject({ status: 401, body: { error: "invalid_token" } });
    }
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

describe("the discovery document", () => {
  const DISCOVERY = "GET /.well-known/openid-configuration";

  it.each(versionNames)("SEC-2, G-OIDC: is available without a credential in %s", async (version) => {
    const { send, baseUrl, mock } = await openAdapter();
    const { status, body } = await send(DISCOVERY, { version, token: null });
    expect(status).toBe(200);
    expect(body).toEqual({
      issuer: baseUrl,
      authorization_endpoint: `${baseUrl}/v1/oauth2/authorize`,
      scopes_supported: expect.arrayContaining(["openid", "webhooks:read"]),
      response_types_supported: ["code"],
    });
    const { authorization_endpoint } = body as { authorization_endpoint: string };
    const path = authorization_endpoint.slice(baseUrl.length);
    expect((await send(`GET ${path}`, { token: mock.issueToken({ type: "oidc" }) })).status).toBe(200);
  });

  it("G-OIDC: other OAuth operations do not exist", async () => {
    const { send } = await openAdapter();
    expect((await send("POST /v1/oauth2/token", { json: {} })).status).toBe(404);
    expect((await send("GET /v1/oauth2/userinfo")).status).toBe(404);
    expect((await send(`${DISCOVERY}/more`)).status).toBe(404);
  });
});
