import { assumption, type Check, type Needs, rule } from "../check.ts";
import {
  acceptedEndpoint,
  create,
  endpoint,
  type Fields,
  Incomplete,
  NOBODY,
  nameFor,
  organizationsOf,
  READ,
  readEndpoint,
  UNKNOWN,
  unusedUrl,
  update,
} from "../fixtures.ts";
import { versions } from "../generated/versions.ts";
import { NotObservable } from "../outcome.ts";
import { CLIENT_ERROR, DENIED, oneOf, optional, orNull, type Pattern, PRESENT, SUCCESS, test } from "../pattern.ts";
import { isAccepted, requireSuccess, type Service, summaryOf, verdict } from "../service.ts";
import { type Answer, ENDPOINTS, fieldsOf } from "../session.ts";
import { presence } from "./events.ts";
import { currentVersion, UNSUPPORTED } from "./versions.ts";

const UUID_V4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const REJECTED = oneOf(400, 409, 422);

/** The type of each field, without what rules of their own say (WHE-4, WHE-5, WHE-7, WHE-8). */
const TYPES: Readonly<Record<string, Pattern>> = {
  created_at: String,
  modified_at: orNull(String),
  id: String,
  url: String,
  name: orNull(String),
  api_version: String,
  format: String,
  secret: String,
  organization_id: String,
  events: [String],
  enabled: Boolean,
  uses_standard_webhook_signature: Boolean,
};

const WRITES: Needs = { writes: "endpoints" };
const READS: Needs = { ...WRITES, reads: "endpoint" };

const read = async (service: Service) => service.send(`${READ}/${(await endpoint(service)).id}`);

/** Returns the body of the run's endpoint as it is read now. */
const current = async (service: Service) => fieldsOf((await read(service)).body);

/** Expects that an endpoint matches a pattern when it is read and, if the run created it, in that response as well. */
async function expectEndpoint(service: Service, body: Pattern, id?: Pattern): Promise<void> {
  if (service.settings.endpointId === undefined) {
    const { answer } = await acceptedEndpoint(service).catch((error: unknown) => {
      if (error instanceof Incomplete && id !== undefined) service.check(error.answer, { body: { id } });
      throw error;
    });
    service.check(answer, { body });
  }
  service.check(await readEndpoint(service), { body });
}

/** Updates the run's endpoint, and expects a status and the endpoint that is read afterwards. */
async function expectUpdate(service: Service, fields: Fields, status: Pattern, body?: Pattern): Promise<void> {
  service.check(await update(service, fields), { status });
  if (body !== undefined) service.check(await read(service), { body });
}

/** Section 2.1: the fields of a webhook endpoint. */
const fields: readonly Check[] = [
  rule("WHE-1", READS, (service) => {
    const types = Object.entries(TYPES).map(([name, type]) => [name, optional(type)]);
    return expectEndpoint(service, Object.fromEntries(types), String);
  }),
  rule("WHE-2", WRITES, async (service) => {
    const { answer } = await acceptedEndpoint(service);
    service.check(answer, { body: { modified_at: optional(null) } });
    const name = `conformance ${service.session.run}`;
    await expectUpdate(service, { name }, SUCCESS, { modified_at: optional(String) });
  }),
  rule("WHE-3", READS, (service) => {
    const names = Object.keys(TYPES).filter((name) => name !== "name");
    return expectEndpoint(service, Object.fromEntries(names.map((name) => [name, PRESENT])), PRESENT);
  }),
  rule("WHE-4", { ...WRITES, requests: 8 }, async (service) => {
    for (const format of ["discord", "slack", "raw"])
      await expectUpdate(service, { format }, SUCCESS, { format: optional(format) });
    for (const format of ["xml", "RAW"]) await expectUpdate(service, { format }, REJECTED);
  }),
  rule("WHE-5", WRITES, async (service) => {
    const { answer, fields } = await acceptedEndpoint(service);
    const other = await create(service, fields);
    const [one = "", two = ""] = [answer, other].map(({ body }) => String(fieldsOf(body)["secret"]));
    if ([...one].findIndex((character, index) => character !== two[index]) >= 2) return;
    throw service.deviation(other.request, "secrets with the same beginning", "secrets that begin differently");
  }),
  rule("WHE-6", WRITES, async (service) => {
    const { uses_standard_webhook_signature: before } = await endpoint(service);
    await update(service, { uses_standard_webhook_signature: !before });
    service.check(await read(service), { body: { uses_standard_webhook_signature: before as boolean } });
  }),
  rule("WHE-7", READS, (service) => expectEndpoint(service, { id: UUID_V4, organization_id: optional(UUID_V4) })),
  rule("WHE-8", READS, async (service) => {
    if (service.settings.endpointId === undefined) await update(service, { name: nameFor(service.session) });
    await expectEndpoint(service, { created_at: optional(TIMESTAMP), modified_at: optional(orNull(TIMESTAMP)) });
  }),
  rule("WHE-9", WRITES, async (service) => {
    const { fields } = await acceptedEndpoint(service);
    const status = oneOf(200, 201);
    const { format, events } = fields as Record<string, Pattern>;
    const { href } = new URL(String(fields["url"]));
    const isSame = (value: unknown) => URL.parse(String(value))?.href === href;
    const asSent = { url: test(JSON.stringify(fields["url"]), isSame), name: optional(orNull(String)) };
    const expected = { ...asSent, format: format as string, events: events as readonly string[] };
    service.check(await create(service, { ...fields, name: undefined }), { status, body: expected });
    service.check(await create(service, { ...fields, api_version: service.version }), { status, body: asSent });
  }),
  rule("G-CREATE", WRITES, async (service) => {
    const { answer } = await acceptedEndpoint(service);
    service.check(answer, { body: { enabled: optional(true), uses_standard_webhook_signature: optional(true) } });
  }),
];

/** Throws unless an unknown id gets a 404, which tells an accepted token from a denied one. */
function requireUnknown(answer: Answer): void {
  if (answer.status !== 404) throw new NotObservable(`${UNKNOWN}: ${summaryOf(answer)} (GET-2)`);
}

/** Section 4.1: reading a webhook endpoint. */
const reading: readonly Check[] = [
  rule("GET-1", READS, async (service) => {
    const { endpointId: id = (await endpoint(service)).id } = service.settings;
    service.check(await readEndpoint(service), { status: 200, body: { id } });
  }),
  rule("GET-2", {}, (service) => service.expect(UNKNOWN, {}, { status: 404, body: { error: "ResourceNotFound" } })),
  rule("GET-3", {}, async (service) => {
    for (const id of ["1", "6f1c0a52-3b0d-1c55-9d0e-0a4d1e6f7b21", `${NOBODY}0`])
      await service.expect(`${READ}/${id}`, {}, { status: 422 });
  }),
  rule("GET-4", {}, async (service) => {
    const [reads, writes] = ["webhooks:read", "webhooks:write"];
    requireUnknown(await service.send(UNKNOWN));
    const { token } = service.token({ lacks: [reads, writes] });
    await service.expect(UNKNOWN, { token }, { status: DENIED });
    for (const needs of [
      { scope: reads, lacks: [writes] },
      { scope: writes, lacks: [reads] },
    ])
      await service.expect(UNKNOWN, { token: service.token(needs).token }, { status: 404, body: {} });
  }),
  rule("GET-5", { tokens: ["oidc", "pat", "oat"] }, async (service) => {
    const answers: Answer[] = [];
    for (const kind of ["oidc", "pat", "oat"] as const) {
      const { token } = service.token({ kind, scope: "webhooks:read" });
      answers.push(await service.send(UNKNOWN, { token }));
    }
    requireUnknown(answers.find(({ status }) => status === 404) ?? (answers[0] as Answer));
    for (const answer of answers) service.check(answer, { status: 404, body: {} });
  }),
  rule("G-UUID-FORM", READS, async (service) => {
    const { endpointId: id = (await endpoint(service)).id } = service.settings;
    await readEndpoint(service);
    await service.expect(`${READ}/${id.toUpperCase()}`, {}, { status: 200, body: { id } });
  }),
  assumption("G-FOREIGN", "foreignEndpoint", "not-found", { ...WRITES, requests: 12 }, async (service) => {
    const { id, organization_id: owner } = await endpoint(service);
    for (const { token, scopes = ["webhooks:read"] } of service.settings.tokens) {
      const owned = await organizationsOf(service, token);
      const mayRead = scopes.some((scope) => scope.startsWith("webhooks:"));
      if (!mayRead || owned.length === 0 || owned.includes(String(owner))) continue;
      requireUnknown(await service.send(UNKNOWN, { token }));
      const answer = await service.send(`${READ}/${id}`, { token });
      if (answer.status === 404) return { value: "not-found", evidence: summaryOf(answer) };
      if (answer.status === 403) return { value: "forbidden", evidence: summaryOf(answer) };
      throw new NotObservable(`another organization's endpoint: ${summaryOf(answer)}`);
    }
    throw new NotObservable("needs a token of another organization");
  }),
];

/** Sections 4.4 and 7: creating and updating a webhook endpoint. */
const writing: readonly Check[] = [
  rule("ERR-4", WRITES, async (service) => {
    const { fields } = await acceptedEndpoint(service);
    const { api_version } = await current(service);
    service.check(await create(service, { ...fields, api_version: UNSUPPORTED }), { status: CLIENT_ERROR });
    await expectUpdate(service, { api_version: UNSUPPORTED }, CLIENT_ERROR, { api_version: api_version as string });
  }),
  rule("VER-7", { ...WRITES, requests: 13 }, async (service) => {
    const version = await currentVersion(service);
    service.check((await acceptedEndpoint(service)).answer, { body: { api_version: version } });
  }),
  rule("VER-8", WRITES, (service) => expectUpdate(service, { api_version: service.version }, SUCCESS)),
  rule("VER-9", WRITES, async (service) => {
    const { api_version: before } = await current(service);
    const other = versions.find(({ contract }) => contract.version !== before)?.contract.version as string;
    requireSuccess(await update(service, { api_version: other }), "another supported api_version (VER-8): ");
    service.check(await read(service), { body: { api_version: other } });
  }),
  rule("WHT-1", WRITES, async (service) => {
    const { webhookEventTypes: types } = service.contract;
    await expectUpdate(service, { events: types }, SUCCESS, { events: types.length > 0 ? [oneOf(...types)] : [] });
    await expectUpdate(service, { events: ["order.conformance"] }, REJECTED);
    await update(service, { events: [types[0]] });
  }),
  assumption("G-WHE-PATHS", "endpointWrites", "served", WRITES, async (service) => {
    const known = await service.send(UNKNOWN);
    if (fieldsOf(known.body)["error"] !== "ResourceNotFound")
      throw new NotObservable(`${UNKNOWN}: ${summaryOf(known)} (GET-2)`);
    const answer = await create(service, {});
    const isAbsent = !isAccepted(answer) && (answer.status === 404 || answer.status === 405);
    return { value: isAbsent ? "absent" : "served", evidence: `POST ${ENDPOINTS}: ${answer.status}` };
  }),
  assumption(
    "G-EVT-ORG",
    "organizationField.oidc",
    "optional",
    { ...WRITES, requests: 6, tokens: ["oidc"] },
    async (service) => {
      const token = service.token({ kind: "oidc", scope: "webhooks:write" });
      const { fields } = await acceptedEndpoint(service, token.token);
      return presence(service, token, (given) => create(service, { ...fields, ...given }, token.token));
    },
  ),
  assumption("G-WHE-VER", "unsupportedApiVersionStatus", null, WRITES, async (service) => {
    const answer = await update(service, { api_version: UNSUPPORTED });
    const { status } = answer;
    if (status < 400 || status >= 500) throw new NotObservable(`${summaryOf(answer)} (ERR-4)`);
    const control = await update(service, { api_version: service.version });
    requireSuccess(control, "a supported api_version is rejected as well (VER-8): ");
    return { value: status === 422 ? null : status, evidence: summaryOf(answer) };
  }),
  assumption("G-WHE-URL", "endpointUrl.protocols", ["https:", "http:"], { ...WRITES, requests: 6 }, async (service) => {
    const accepted = [];
    for (const scheme of ["https", "http"])
      if (isAccepted(await tryUrl(service, unusedUrl(service, scheme)), "url")) accepted.push(`${scheme}:`);
    return { value: accepted, evidence: `${accepted.join(" and ")} accepted` };
  }),
  urlSetting("credentials", "reject", ["accept", "reject"], (url) => url.replace("://", "://user:password@")),
  urlSetting("hosts", "any", ["any", "public"], (url) => `${new URL(url).protocol}//10.255.255.1/`),
];

/** Finds whether the service accepts another URL for an endpoint. */
function urlSetting(
  name: string,
  byDefault: string,
  values: readonly [string, string],
  other: (url: string) => string,
): Check {
  return assumption("G-WHE-URL", `endpointUrl.${name}`, byDefault, WRITES, async (service) => {
    const { fields } = await acceptedEndpoint(service);
    const what = other(String(fields["url"]));
    return verdict(await tryUrl(service, what), values, { what, fields: ["url"] });
  });
}

/** Changes the URL of the run's endpoint, and restores the original one, which must be accepted. */
async function tryUrl(service: Service, url: string): Promise<Answer> {
  const { fields } = await acceptedEndpoint(service);
  const answer = await update(service, { url });
  requireSuccess(await update(service, { url: fields["url"] }), "the endpoint's own url is rejected: ");
  return answer;
}

/** Sections 2.1, 4.1 and 4.4: webhook endpoints. */
export const webhookEndpointChecks: readonly Check[] = [...fields, ...reading, ...writing];
