import { expect, it } from "vitest";
import type { ScopeName } from "../../mock/index.ts";
import { openAdapter, type Sent, testedVersion } from "../support/adapter.ts";
import { versions } from "../support/clients.ts";
import { NOBODY } from "../support/samples.ts";

const READ = "GET /v1/products/";
const DISCOVERY = "GET /.well-known/openid-configuration";

it("SEC-1: a token is sent whole in the Authorization header, after Bearer in any case, and nowhere else", async () => {
  const { mock, send } = await openAdapter();
  const token = mock.issueToken();
  const status = async (sent: Sent, line = READ) => (await send(line, { token: null, ...sent })).status;
  const ofHeader = (Authorization: string) => status({ headers: { Authorization } });
  for (const header of [`bearer ${token}`, `  BEARER   ${token}  `]) expect(await ofHeader(header)).toBe(200);
  const wrong = ["Bearer", token, `Bearer${token}`, `Bearer ${token} ${token}`, `Bearer ${token}, Bearer ${token}`];
  const more = [`Basic ${btoa(`user:${token}`)}`, `Bearer ${token.slice(0, -1)}`, `Bearer ${token.toUpperCase()}`];
  for (const header of [...wrong, ...more]) expect([header, await ofHeader(header)]).toEqual([header, 401]);
  expect(await status({}, `${READ}?access_token=${token}`)).toBe(401);
  expect(await status({ headers: { "X-Api-Key": token, Cookie: `access_token=${token}` } })).toBe(401);
});

it("G-401-BAD, G-OWNER: a rejected token is unknown, expired or revoked, or its owner is gone; no response repeats it", async () => {
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
});

it.each([
  ["POST /v1/events/ingest", ["events:write"]],
  [`GET /v1/webhooks/endpoints/${NOBODY}`, ["webhooks:read", "webhooks:write"]],
  [`PATCH /v1/webhooks/endpoints/${NOBODY}`, ["webhooks:write"]],
  ["POST /v1/webhooks/endpoints", ["webhooks:write"]],
  [READ, ["products:read", "products:write"]],
])(
  "ING-3, GET-4, G-403, G-WHE-PATHS, G-PRODUCTS: a token with all other scopes receives 403 for %s, which names %j",
  async (line, needed) => {
    const { mock, send } = await openAdapter();
    const scopes = versions[testedVersion].SCOPES.filter((scope) => !needed.includes(scope));
    const { status, body, headers } = await send(line, { token: mock.issueToken({ scopes }) });
    const error_description = expect.stringContaining(needed.join(", "));
    expect({ status, body }).toEqual({ status: 403, body: { error: "insufficient_scope", error_description } });
    expect(headers.get("www-authenticate")).toContain(`error="insufficient_scope", `);
    expect(headers.get("www-authenticate")).toMatch(new RegExp(`^Bearer realm=.*, scope="${needed.join(" ")}"$`));
    for (const scope of needed) {
      const { status: other } = await send(line, { token: mock.issueToken({ scopes: [scope as ScopeName] }) });
      expect(other).not.toBe(403);
    }
  },
);

it("SEC-2, G-OIDC: the discovery document is available without a credential, and other OAuth paths return 404", async () => {
  const { send, baseUrl } = await openAdapter();
  const { status, body } = await send(DISCOVERY, { token: null });
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      issuer: baseUrl,
      authorization_endpoint: `${baseUrl}/v1/oauth2/authorize`,
      scopes_supported: expect.any(Array),
      response_types_supported: ["code"],
    },
  });
  for (const line of ["POST /v1/oauth2/token", "GET /v1/oauth2/userinfo", `${DISCOVERY}/more`]) {
    expect((await send(line)).status).toBe(404);
  }
});
