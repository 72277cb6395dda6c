import type { SecuritySchemeName } from "../../src/contract/index.ts";
import { assumption, type Check, rule } from "../check.ts";
import type { Answer } from "../connection.ts";
import { NotObservable } from "../outcome.ts";
import { oneOf, orNull, type Pattern } from "../pattern.ts";
import { type Service, summaryOf, verdict } from "../service.ts";

/** The request of the lookup. */
export const LOOKUP = "GET /v1/oauth2/authorize";
const KINDS = ["oidc", "pat", "oat"] as const;

/** Returns the response for a token. Throws unless it is a success, which AUZ-1 checks. */
export function lookUp(service: Service, kind?: SecuritySchemeName): Promise<Answer> {
  return service.once(`authorize ${kind}`, async () => {
    const token = kind === undefined ? service.anyToken() : service.token({ kind }).token;
    const answer = await service.send(LOOKUP, { token });
    const { client, sub_type } = (answer.body ?? {}) as { client?: unknown; sub_type?: unknown };
    if (answer.status === 200 && (client !== undefined || sub_type !== undefined)) return answer;
    throw new NotObservable(`${LOOKUP}: ${summaryOf(answer)} (AUZ-1)`);
  });
}

/** Expects that the responses for all tokens fit a pattern. */
async function expectAll(service: Service, body: Pattern): Promise<void> {
  const kinds = KINDS.filter((kind) => service.find({ kind }));
  for (const kind of kinds) service.check(await lookUp(service, kind), { body });
}

/** A map of strings. */
const labels = {
  expected: "an object whose values are strings",
  fits: (value: unknown) =>
    typeof value === "object" && value !== null && Object.values(value).every((label) => typeof label === "string"),
};

const USER = { sub_type: "user", sub: { id: String, email: /@/, avatar_url: orNull(String) } };
const CLIENT = ["client_name", "client_uri", "logo_uri", "tos_uri", "policy_uri"] as const;

/** Returns the variant of a response. */
function variantOf({ body }: Answer): "user" | "organization" {
  return (body as { sub_type?: unknown }).sub_type === "user" ? "user" : "organization";
}

function variant(kind: SecuritySchemeName, byDefault: "user" | "organization"): Check {
  const needs = { requests: 1, tokens: [kind] };
  return assumption("G-AUT-ORG", `authorizeVariant.${kind}`, byDefault, needs, async (service) => {
    const value = variantOf(await lookUp(service, kind));
    return { value, evidence: `sub_type of the ${value} variant` };
  });
}

/** Finds the response to a query, sent with the run's token. */
function query(name: string, search: string, accepted: string): Check {
  return assumption("G-AUT-QUERY", `authorizeQuery.${name}`, "reject", { requests: 1 }, async (service) => {
    await lookUp(service);
    const answer = await service.send(`${LOOKUP}?${search}`, { token: service.anyToken() });
    return verdict(answer, [accepted, "reject"], `?${search}`);
  });
}

/** Sections 2.4 and 4.3: the authorization lookup. */
export const authorizeChecks: readonly Check[] = [
  rule("AUZ-1", { requests: 3 }, async (service) => {
    for (const { token } of service.settings.tokens.slice(0, 3)) {
      await service.expect(LOOKUP, { token }, { status: 200, body: { sub_type: String } });
    }
  }),
  rule("AUZ-2", { requests: 1 }, async (service) => {
    await lookUp(service);
    const lacks = service.contract.scopes.filter((scope) => scope !== "openid");
    await service.expect(LOOKUP, { token: service.token({ lacks }).token }, { status: 200 });
  }),
  rule("AUT-1", { requests: 3 }, async (service) => {
    const isVariant = { sub_type: String };
    for (const kind of KINDS.filter((each) => service.find({ kind: each }))) {
      const answer = await lookUp(service, kind);
      service.check(answer, { body: variantOf(answer) === "user" ? USER : isVariant });
    }
  }),
  rule("AUT-2", { requests: 3 }, (service) => {
    const times = { created_at: String, modified_at: orNull(String) };
    const texts = CLIENT.map((name) => [name, orNull(String)] as const);
    return expectAll(service, { client: { ...times, client_id: String, ...Object.fromEntries(texts) } });
  }),
  rule("AUT-3", { requests: 3 }, (service) =>
    expectAll(service, { scopes: [oneOf(...service.contract.scopes)], scope_display_names: labels }),
  ),
  rule("AUT-4", { requests: 3 }, (service) => {
    const organization = { id: String, slug: String, name: String, avatar_url: orNull(String) };
    return expectAll(service, { organizations: [organization], requires_single_organization: Boolean });
  }),
  rule("G-AUT-LABELS", { requests: 3 }, (service) =>
    expectAll(service, {
      scope_display_names: Object.fromEntries(service.contract.scopes.map((scope) => [scope, String])),
    }),
  ),
  variant("oidc", "user"),
  variant("pat", "user"),
  variant("oat", "organization"),
  assumption("G-AUT-ORG", "authorizeSubType", "follow-credential", { requests: 2 }, async (service) => {
    const kind = KINDS.find((each) => service.find({ kind: each }));
    if (kind === undefined) throw new NotObservable("needs a token");
    const own = variantOf(await lookUp(service, kind));
    const other = own === "user" ? "organization" : "user";
    const answer = await service.send(`${LOOKUP}?sub_type=${other}`, { token: service.token({ kind }).token });
    if (answer.status !== 200) throw new NotObservable(`?sub_type=${other}: ${summaryOf(answer)}`);
    const value = variantOf(answer) === own ? "follow-credential" : "follow-query";
    return { value, evidence: `?sub_type=${other} returns the ${variantOf(answer)} variant` };
  }),
  query("unknownClient", "client_id=conformance", "default"),
  query("unknownScope", "scope=conformance:none", "ignore"),
];
