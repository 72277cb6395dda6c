import type { SecuritySchemeName } from "../../src/contract/index.ts";
import { type Check, rule } from "../check.ts";
import { ARRAY, BOOLEAN, INTEGER, oneOf, optional, orNull, type Pattern, STRING, test } from "../pattern.ts";
import { NotObservable } from "../report.ts";
import { LOOKUP, PRODUCTS, type Service } from "../service.ts";
import { fieldsOf, type ServiceResponse } from "../service-response.ts";
import { KINDS } from "../settings.ts";

/** Returns the response for a token. Throws unless it is a success, which AUZ-1 checks. */
function lookUp(service: Service, kind?: SecuritySchemeName): Promise<ServiceResponse> {
  return service.once(`authorize ${kind}`, async () => {
    const response = await service.send(LOOKUP, kind && { token: service.token({ kind }).token });
    const { client, sub_type } = response.fields;
    if (response.status === 200 && (client ?? sub_type) !== undefined) return response;
    throw new NotObservable(`${LOOKUP}: ${response.summary} (AUZ-1)`);
  });
}

/** Checks that the responses for tokens of all kinds fit a pattern. */
function ofLookup(id: string, pattern: (service: Service, response: ServiceResponse) => Pattern): Check {
  return rule(id, async (service) => {
    await lookUp(service);
    for (const kind of KINDS.filter((each) => service.find({ kind: each }))) {
      const response = await lookUp(service, kind);
      service.check(response, { body: pattern(service, response) });
    }
  });
}

/** A map of strings. */
const labels = test("an object whose values are strings", (value) =>
  Object(value) === value && Object.values(value as object).every((label) => typeof label === "string"));

/** The specification leaves the value for an organization open. */
const NO_USER = test("another variant than user", (value) => value !== "user");

const USER = { sub_type: "user", sub: { id: STRING, email: /@/, avatar_url: orNull(STRING) } };
const ORGANIZATION = { id: STRING, slug: STRING, name: STRING, avatar_url: orNull(STRING) };
const TEXTS = ["client_name", "client_uri", "logo_uri", "tos_uri", "policy_uri"];

/** Sections 2.4, 4.3 and 4.4: the authorization lookup, and products. */
export const lookupChecks: readonly Check[] = [
  rule("AUZ-1", async (service) => {
    const token = await service.tokenFor(LOOKUP);
    const response = await service.send(LOOKUP, { token });
    // The service may need parameters that the run does not know.
    if (response.isRejection) throw new NotObservable(`${response.summary} (--authorize-query)`);
    service.check(response, { status: 200, body: { sub_type: STRING } });
  }),
  rule("AUZ-2", async (service) => void (await lookUp(service))),
  ofLookup("AUT-1", (_, { body }) => (fieldsOf(body)["sub_type"] === "user" ? USER : { sub_type: STRING })),
  ofLookup("AUT-2", () => {
    const texts = Object.fromEntries(TEXTS.map((name) => [name, orNull(STRING)]));
    return { client: { created_at: STRING, modified_at: orNull(STRING), client_id: STRING, ...texts } };
  }),
  ofLookup("AUT-3", ({ contract }) => ({ scopes: [oneOf(...contract.scopes)], scope_display_names: labels })),
  ofLookup("AUT-4", () => ({ organizations: [ORGANIZATION], requires_single_organization: BOOLEAN })),
  rule("G-AUT-ORG", async (service) => {
    await lookUp(service);
    for (const kind of KINDS.filter((each) => service.find({ kind: each })))
      service.check(await lookUp(service, kind), { body: { sub_type: kind === "oat" ? NO_USER : "user" } });
  }),
  rule("PRD-1", (service) => service.expect(PRODUCTS, {}, { status: 200, body: { error: optional(null) } })),
  rule("G-PRODUCTS", async (service) => {
    const response = (await service.send(PRODUCTS)).requireSuccess();
    service.check(response, { body: { items: ARRAY, pagination: { total_count: INTEGER, max_page: INTEGER } } });
  }),
];
