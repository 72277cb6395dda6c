import { type Check, rule } from "../check.ts";
import type { Answer } from "../connection.ts";
import { NOBODY } from "../fixtures.ts";
import { NotObservable } from "../outcome.ts";
import { DENIED } from "../pattern.ts";
import { type Service, summaryOf } from "../service.ts";
import { lookUp } from "./authorize.ts";

const DISCOVERY = "GET /.well-known/openid-configuration";
const READ = `GET /v1/webhooks/endpoints/${NOBODY}`;

/** A request for each operation of sections 4.1 to 4.4 that the specification shows. */
const OPERATIONS = [READ, "POST /v1/events/ingest", "GET /v1/oauth2/authorize", "GET /v1/products/"];

/** Sends a request for each operation. A service that validates a body first does not show what it does about the token. */
async function expectEach(service: Service, token: string | null, expected: Parameters<Service["check"]>[1]) {
  let invalid: Answer | undefined;
  for (const line of OPERATIONS) {
    const json = line.startsWith("POST") ? { json: { events: [{}] } } : {};
    const answer = await service.send(line, { token, ...json });
    if (line.startsWith("POST") && answer.status === 422) invalid = answer;
    else service.check(answer, expected);
  }
  if (invalid) throw new NotObservable(`${invalid.request}: ${summaryOf(invalid)}, before the token is checked`);
}

/** Section 5: credentials. */
export const credentialChecks: readonly Check[] = [
  rule("SEC-1", { requests: 4 }, async (service) => {
    await lookUp(service);
    await expectEach(service, null, { status: DENIED });
  }),
  rule("G-401", { requests: 8 }, async (service) => {
    for (const line of OPERATIONS) {
      const answer = await service.send(line, { token: null });
      if (!DENIED.fits(answer.status))
        throw new NotObservable(`${line} without a credential: ${summaryOf(answer)} (SEC-1)`);
    }
    await expectEach(service, null, {
      headers: { "www-authenticate": /^Bearer\b/ },
      body: { error: "Unauthorized", detail: String },
    });
  }),
  rule("G-401-BAD", { requests: 4 }, (service) =>
    expectEach(service, `unknown-${service.session.run}`, {
      status: 401,
      headers: { "www-authenticate": /error="invalid_token"/ },
      body: { error: "invalid_token", error_description: String },
    }),
  ),
  rule("G-403", { requests: 1 }, async (service) => {
    const { token } = service.token({ lacks: ["webhooks:read", "webhooks:write"] });
    const answer = await service.send(READ, { token });
    if (answer.status === 404) throw new NotObservable("the scope is not checked (GET-4)");
    service.check(answer, {
      status: 403,
      headers: { "www-authenticate": /error="insufficient_scope"/ },
      body: { error: "insufficient_scope", error_description: String },
    });
  }),
  rule("SEC-2", { requests: 4, tokens: ["oidc", "pat", "oat"] }, async (service) => {
    await service.expect(
      DISCOVERY,
      { token: null },
      { status: 200, body: { issuer: String, authorization_endpoint: String } },
    );
    for (const kind of ["oidc", "pat", "oat"] as const) {
      const { token } = service.token({ kind });
      const answer = await service.send("GET /v1/oauth2/authorize", { token });
      if (DENIED.fits(answer.status))
        throw service.deviation(`${answer.request} with an ${kind}`, "accepted", summaryOf(answer));
    }
  }),
  rule("SEC-3", { requests: 1 }, async (service) => {
    const answer = await service.send(DISCOVERY, { token: null });
    const { scopes_supported: listed } = (answer.body ?? {}) as { scopes_supported?: unknown };
    if (!Array.isArray(listed)) throw new NotObservable("the discovery document has no scopes_supported");
    const { scopes } = service.contract;
    const differ = [
      ...listed.filter((scope) => !scopes.includes(scope)),
      ...scopes.filter((scope) => !listed.includes(scope)),
    ];
    if (differ.length > 0)
      throw service.deviation(
        DISCOVERY,
        "scopes_supported with the names of section 5",
        `differs in ${differ.slice(0, 3).join(", ")}`,
      );
  }),
];
