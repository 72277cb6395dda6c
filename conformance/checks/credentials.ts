import type { Answer } from "../answer.ts";
import { type Check, rule } from "../check.ts";
import { KINDS } from "../options.ts";
import { NotObservable } from "../outcome.ts";
import { DENIED, STRING } from "../pattern.ts";
import { type Expected, INGEST, LOOKUP, PRODUCTS, type Service, UNKNOWN } from "../service.ts";
import { lookUp } from "./authorize.ts";

const DISCOVERY = "GET /.well-known/openid-configuration";

/** A request for each operation of sections 4.1 to 4.4 that the specification shows. */
const OPERATIONS = [UNKNOWN, INGEST, LOOKUP, PRODUCTS];

/** Sends a request for each operation. A service that validates a body first does not show what it does about the token. */
async function expectEach(service: Service, token: string | null, expected: Expected): Promise<void> {
  let invalid: Answer | undefined;
  for (const line of OPERATIONS) {
    const answer = await service.send(line, { token, ...(line === INGEST && { json: { events: [{}] } }) });
    if (line === INGEST && answer.status === 422) invalid = answer;
    else service.check(answer, expected);
  }
  if (invalid) throw new NotObservable(`${invalid.request}: ${invalid.summary}, before the token is checked`);
}

/** Describes the response to a token that does not allow a request (RFC 6750). */
const rejection = (status: number, error: string) => ({
  status,
  headers: { "www-authenticate": new RegExp(`error="${error}"`) },
  body: { error, error_description: STRING },
});

/** Section 5: credentials. */
export const credentialChecks: readonly Check[] = [
  rule("SEC-1", {}, async (service) => {
    await lookUp(service);
    await expectEach(service, null, { status: DENIED });
  }),
  rule("G-401", { requests: 8 }, async (service) => {
    for (const line of OPERATIONS) {
      const answer = await service.send(line, { token: null });
      if (!DENIED.fits(answer.status))
        throw new NotObservable(`${line} without a credential: ${answer.summary} (SEC-1)`);
    }
    const body = { error: "Unauthorized", detail: STRING };
    await expectEach(service, null, { headers: { "www-authenticate": /^Bearer\b/ }, body });
  }),
  rule("G-401-BAD", {}, (service) =>
    expectEach(service, `unknown-${service.session.run}`, rejection(401, "invalid_token")),
  ),
  rule("G-403", {}, async (service) => {
    const { token } = service.token({ lacks: ["webhooks:read", "webhooks:write"] });
    const answer = await service.send(UNKNOWN, { token });
    if (answer.status === 404) throw new NotObservable("the scope is not checked (GET-4)");
    service.check(answer, rejection(403, "insufficient_scope"));
  }),
  rule("SEC-2", {}, async (service) => {
    const document = { issuer: STRING, authorization_endpoint: STRING };
    await service.expect(DISCOVERY, { token: null }, { status: 200, body: document });
    for (const kind of KINDS) {
      const { token } = service.token({ kind });
      const answer = await service.send(LOOKUP, { token });
      if (DENIED.fits(answer.status))
        throw service.deviation(`${answer.request} with an ${kind}`, "accepted", answer.summary);
    }
  }),
  rule("SEC-3", {}, async (service) => {
    const { scopes_supported: listed } = (await service.send(DISCOVERY, { token: null })).fields;
    if (!Array.isArray(listed)) throw new NotObservable("the discovery document has no scopes_supported");
    const { scopes } = service.contract;
    const unknown = listed.filter((scope) => !scopes.includes(scope));
    const differ = [...unknown, ...scopes.filter((scope) => !listed.includes(scope))].slice(0, 3).join(", ");
    if (differ === "") return;
    throw service.deviation(DISCOVERY, "scopes_supported with the names of section 5", `differs in ${differ}`);
  }),
];
