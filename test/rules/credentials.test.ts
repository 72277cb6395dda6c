import { expect, it } from "vitest";
import { openAdapter, type Sent } from "../support/adapter.ts";

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
