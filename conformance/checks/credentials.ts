import { type Check, eachOf, rule } from "../check.ts";
import { OBJECT, STRING, test } from "../pattern.ts";
import { NotObservable } from "../report.ts";
import { type Expected, INGEST, LOOKUP, PRODUCTS, type Service, UNKNOWN } from "../service.ts";
import { KINDS } from "../settings.ts";

const DISCOVERY = "GET /.well-known/openid-configuration";

/** What a call without a token gets, or with a wrong one: an error, or the way to a login page. */
const REJECTED = test("a rejection", (status) => Number(status) >= 300 && Number(status) < 500);

/** Returns a clause for each operation of sections 4.1 to 4.4 that the specification shows: its response to a wrong token. */
function eachOperation(tokenOf: (service: Service) => string | null, expected?: Expected) {
  return eachOf([UNKNOWN, INGEST, LOOKUP, PRODUCTS], async (service, line) => {
    await service.tokenFor(line);
    const sent = { token: tokenOf(service), ...(line === INGEST && { json: { events: [{}] } }) };
    const response = await service.send(line, sent);
    // A service may look at the id or the body first, or fail for other reasons.
    if ([404, 422].includes(response.status) || response.status >= 500)
      throw new NotObservable(`${response.summary}, before the token is checked`);
    if (expected && !REJECTED.fits(response.status)) throw new NotObservable(`${response.summary} (SEC-1)`);
    service.check(response, expected ?? { status: REJECTED });
  });
}

/** Describes the response to a token that does not allow a request (RFC 6750). */
const rejection = (status: number, error: string) => ({
  status,
  headers: { "www-authenticate": new RegExp(`error="${error}"`) },
  body: { error, error_description: STRING },
});

/** The response of the service to a call without a token. */
const UNAUTHORIZED = { headers: { "www-authenticate": /^Bearer\b/ }, body: { error: "Unauthorized", detail: STRING } };

const noToken = () => null;
const wrongToken = ({ requester }: Service) => `unknown-${requester.run}`;

/** Section 5: credentials. */
export const credentialChecks: readonly Check[] = [
  rule("SEC-1", eachOperation(noToken)),
  rule("G-401", eachOperation(noToken, UNAUTHORIZED)),
  rule("G-401-BAD", eachOperation(wrongToken, rejection(401, "invalid_token"))),
  rule("G-403", async (service) => {
    const { token } = service.token({ lacks: ["webhooks:read", "webhooks:write"] });
    const response = await service.send(UNKNOWN, { token });
    if (response.status === 404) throw new NotObservable("the scope is not checked (GET-4)");
    service.check(response, rejection(403, "insufficient_scope"));
  }),
  rule("SEC-2", {
    discovery: async (service) => {
      const response = await service.send(DISCOVERY, { token: null });
      if (response.status !== 200 || !OBJECT.fits(response.body)) throw new NotObservable(response.summary);
      service.check(response, { body: { issuer: STRING, authorization_endpoint: STRING } });
    },
    // The run uses only the tokens that the service accepts.
    ...eachOf(KINDS, async (service, kind) => void service.token({ kind })),
  }),
];
