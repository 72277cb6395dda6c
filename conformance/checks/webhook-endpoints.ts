import { type Answer, fieldsOf } from "../answer.ts";
import { assumption, type Check, type Needs, rule } from "../check.ts";
import { KINDS } from "../options.ts";
import { NotObservable } from "../outcome.ts";
import {
  BOOLEAN,
  CLIENT_ERROR,
  DENIED,
  oneOf,
  optional,
  orNull,
  type Pattern,
  PRESENT,
  STRING,
  SUCCESS,
  test,
} from "../pattern.ts";
import { type Fields, NOBODY, otherVersion, READ, type Service, UNKNOWN } from "../service.ts";
import { ENDPOINTS } from "../session.ts";
import { presence } from "./events.ts";
import { currentVersion, UNSUPPORTED } from "./versions.ts";

const UUID_V4 = /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/i;
const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/;
const REJECTED = oneOf(400, 409, 422);

/** Returns an object with the same pattern for several fields. */
const same = (pattern: Pattern, ...names: readonly string[]) =>
  Object.fromEntries(names.map((name) => [name, pattern]));

/** The type of each field, without what rules of their own say (WHE-4, WHE-5, WHE-7, WHE-8). */
const TYPES: Readonly<Record<string, Pattern>> = {
  ...same(STRING, "created_at", "id", "url", "api_version", "format", "secret", "organization_id"),
  ...same(orNull(STRING), "modified_at", "name"),
  ...same(BOOLEAN, "enabled", "uses_standard_webhook_signature"),
  events: [STRING],
};
const OPTIONAL_TYPES = Object.fromEntries(Object.entries(TYPES).map(([name, type]) => [name, optional(type)]));
const ALWAYS_PRESENT = same(PRESENT, ...Object.keys(TYPES).filter((name) => name !== "name"));

const WRITES: Needs = { writes: "endpoints" };
const READS: Needs = { ...WRITES, reads: "endpoint" };

/** Reads the run's endpoint. */
const read = async (service: Service) => service.send(`${READ}/${(await service.endpoint()).id}`);

/**
 * Expects that an endpoint matches a pattern when it is read and, if the run created it, in that response as well. Without an
 * id, no other rule about endpoints can be checked.
 */
async function expectEndpoint(service: Service, body: Pattern, id?: Pattern): Promise<void> {
  if (service.settings.endpointId === undefined) {
    const { answer } = await service.acceptedEndpoint(undefined, id === undefined);
    if (id !== undefined) service.check(answer, { body: { id } });
    service.check(answer, { body });
  }
  service.check(await service.readEndpoint(), { body });
}

/** An update of the run's endpoint, its status, and the endpoint that is read afterwards. */
type Update = readonly [fields: Fields, status: Pattern, body?: Pattern];

/** Checks updates of the run's endpoint, one after another. */
function ofUpdates(id: string, updates: (service: Service) => readonly Update[] | Promise<readonly Update[]>): Check {
  return rule(id, { ...WRITES, requests: 8 }, async (service) => {
    for (const [fields, status, body] of await updates(service)) {
      service.check(await service.update(fields), { status });
      if (body !== undefined) service.check(await read(service), { body });
    }
  });
}

/** Section 2.1: the fields of a webhook endpoint. */
const fields: readonly Check[] = [
  rule("WHE-1", READS, (service) => expectEndpoint(service, OPTIONAL_TYPES, STRING)),
  ofUpdates("WHE-2", async (service) => {
    service.check((await service.acceptedEndpoint()).answer, { body: { modified_at: optional(null) } });
    return [[{ name: service.newName() }, SUCCESS, { modified_at: optional(STRING) }]];
  }),
  rule("WHE-3", READS, (service) => expectEndpoint(service, ALWAYS_PRESENT, PRESENT)),
  ofUpdates("WHE-4", () => [
    ...["discord", "slack", "raw"].map((format) => [{ format }, SUCCESS, { format: optional(format) }] as const),
    ...["xml", "RAW"].map((format) => [{ format }, REJECTED] as const),
  ]),
  rule("WHE-5", WRITES, async (service) => {
    const { answer, fields } = await service.acceptedEndpoint();
    const other = await service.create(fields);
    const [one = "", two = ""] = [answer, other].map(({ body }) => String(fieldsOf(body)["secret"]));
    if ([...one].findIndex((character, index) => character !== two[index]) >= 2) return;
    throw service.deviation(other.request, "secrets with the same beginning", "secrets that begin differently");
  }),
  ofUpdates("WHE-6", async (service) => {
    const before = (await service.endpoint())["uses_standard_webhook_signature"] as boolean;
    const set = (value: boolean) => ({ uses_standard_webhook_signature: value });
    return [[set(!before), PRESENT, set(before)]];
  }),
  rule("WHE-7", READS, (service) => expectEndpoint(service, { id: UUID_V4, organization_id: optional(UUID_V4) })),
  rule("WHE-8", READS, async (service) => {
    if (service.settings.endpointId === undefined) await service.update({ name: service.newName() });
    await expectEndpoint(service, { created_at: optional(TIMESTAMP), modified_at: optional(orNull(TIMESTAMP)) });
  }),
  rule("WHE-9", WRITES, async (service) => {
    const { fields } = await service.acceptedEndpoint();
    const { url, format, events } = fields as Record<string, Pattern>;
    const isSame = (value: unknown) => URL.parse(String(value))?.href === new URL(String(url)).href;
    const body = { url: test(JSON.stringify(url), isSame), name: optional(orNull(STRING)) };
    const expected = {
      status: oneOf(200, 201),
      body: { ...body, format: format as string, events: events as string[] },
    };
    service.check(await service.create({ ...fields, name: undefined }), expected);
    service.check(await service.create({ ...fields, api_version: service.version }), { ...expected, body });
  }),
  rule("G-CREATE", WRITES, async (service) => {
    const body = { enabled: optional(true), uses_standard_webhook_signature: optional(true) };
    service.check((await service.acceptedEndpoint()).answer, { body });
  }),
];

/** Throws unless an unknown id gets a 404, which tells an accepted token from a denied one. */
function requireUnknown(answer: Answer): void {
  if (answer.status !== 404) throw new NotObservable(`${UNKNOWN}: ${answer.summary} (GET-2)`);
}

/** Section 4.1: reading a webhook endpoint. */
const reading: readonly Check[] = [
  rule("GET-1", READS, async (service) => {
    const { endpointId: id = (await service.endpoint()).id } = service.settings;
    service.check(await service.readEndpoint(), { status: 200, body: { id } });
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
    const own = [service.token({ scope: reads, lacks: [writes] }), service.token({ scope: writes, lacks: [reads] })];
    for (const { token } of own) await service.expect(UNKNOWN, { token }, { status: 404, body: {} });
  }),
  rule("GET-5", {}, async (service) => {
    const answers: Answer[] = [];
    for (const kind of KINDS) {
      const { token } = service.token({ kind, scope: "webhooks:read" });
      answers.push(await service.send(UNKNOWN, { token }));
    }
    requireUnknown(answers.find(({ status }) => status === 404) ?? (answers[0] as Answer));
    for (const answer of answers) service.check(answer, { status: 404, body: {} });
  }),
  rule("G-UUID-FORM", READS, async (service) => {
    const { endpointId: id = (await service.endpoint()).id } = service.settings;
    await service.readEndpoint();
    await service.expect(`${READ}/${id.toUpperCase()}`, {}, { status: 200, body: { id } });
  }),
  assumption("G-FOREIGN", "foreignEndpoint", "not-found", { ...WRITES, requests: 12 }, async (service) => {
    const { id, organization_id: owner } = await service.endpoint();
    for (const { token, scopes = ["webhooks:read"] } of service.settings.tokens) {
      const owned = await service.organizationsOf(token);
      const mayRead = scopes.some((scope) => scope.startsWith("webhooks:"));
      if (!mayRead || owned.length === 0 || owned.includes(String(owner))) continue;
      requireUnknown(await service.send(UNKNOWN, { token }));
      const answer = await service.send(`${READ}/${id}`, { token });
      const value = new Map([
        [403, "forbidden"],
        [404, "not-found"],
      ]).get(answer.status);
      if (value) return { value, evidence: answer.summary };
      throw new NotObservable(`another organization's endpoint: ${answer.summary}`);
    }
    throw new NotObservable("needs a token of another organization");
  }),
];

/** Sections 4.4 and 7: creating and updating a webhook endpoint. */
const writing: readonly Check[] = [
  ofUpdates("ERR-4", async (service) => {
    const { fields } = await service.acceptedEndpoint();
    const { api_version } = (await read(service)).fields as { api_version: string };
    service.check(await service.create({ ...fields, api_version: UNSUPPORTED }), { status: CLIENT_ERROR });
    return [[{ api_version: UNSUPPORTED }, CLIENT_ERROR, { api_version }]];
  }),
  rule("VER-7", { ...WRITES, requests: 13 }, async (service) => {
    const api_version = await currentVersion(service);
    service.check((await service.acceptedEndpoint()).answer, { body: { api_version } });
  }),
  ofUpdates("VER-8", ({ version }) => [[{ api_version: version }, SUCCESS]]),
  rule("VER-9", WRITES, async (service) => {
    const api_version = otherVersion((await read(service)).fields["api_version"]);
    (await service.update({ api_version })).requireSuccess("another supported api_version (VER-8): ");
    service.check(await read(service), { body: { api_version } });
  }),
  ofUpdates("WHT-1", ({ contract: { webhookEventTypes: types } }) => [
    [{ events: types }, SUCCESS, { events: types.length > 0 ? [oneOf(...types)] : [] }],
    [{ events: ["order.conformance"] }, REJECTED],
    [{ events: types.slice(0, 1) }, PRESENT],
  ]),
  assumption("G-WHE-PATHS", "endpointWrites", "served", WRITES, async (service) => {
    const known = await service.send(UNKNOWN);
    if (known.fields["error"] !== "ResourceNotFound") throw new NotObservable(`${UNKNOWN}: ${known.summary} (GET-2)`);
    const answer = await service.create({});
    const isAbsent = !answer.isAccepted() && (answer.status === 404 || answer.status === 405);
    return { value: isAbsent ? "absent" : "served", evidence: `POST ${ENDPOINTS}: ${answer.status}` };
  }),
  assumption("G-EVT-ORG", "organizationField.oidc", "optional", { ...WRITES, requests: 6 }, async (service) => {
    const { token } = service.token({ kind: "oidc", scope: "webhooks:write" });
    const { fields } = await service.acceptedEndpoint(token);
    return presence(service, token, (given) => service.create({ ...fields, ...given }, token));
  }),
  assumption("G-WHE-VER", "unsupportedApiVersionStatus", null, WRITES, async (service) => {
    const answer = await service.update({ api_version: UNSUPPORTED });
    const { status } = answer;
    if (!CLIENT_ERROR.fits(status)) throw new NotObservable(`${answer.summary} (ERR-4)`);
    const control = await service.update({ api_version: service.version });
    control.requireSuccess("a supported api_version is rejected as well (VER-8): ");
    return { value: status === 422 ? null : status, evidence: answer.summary };
  }),
  assumption("G-WHE-URL", "endpointUrl.protocols", ["https:", "http:"], { ...WRITES, requests: 6 }, async (service) => {
    const accepted = [];
    for (const scheme of ["https", "http"])
      if ((await tryUrl(service, service.unusedUrl(scheme))).isAccepted("url")) accepted.push(`${scheme}:`);
    return { value: accepted, evidence: `${accepted.join(" and ")} accepted` };
  }),
  urlSetting("credentials", ["accept", "reject"], "reject", (url) => url.replace("://", "://user:password@")),
  urlSetting("hosts", ["any", "public"], "any", (url) => `${new URL(url).protocol}//10.255.255.1/`),
];

/** Finds whether the service accepts another URL for an endpoint. */
function urlSetting(
  name: string,
  values: readonly [string, string],
  byDefault: string,
  other: (url: string) => string,
) {
  return assumption("G-WHE-URL", `endpointUrl.${name}`, byDefault, WRITES, async (service) => {
    const { fields } = await service.acceptedEndpoint();
    const what = other(String(fields["url"]));
    return (await tryUrl(service, what)).verdict(values, { what, fields: ["url"] });
  });
}

/** Changes the URL of the run's endpoint, and restores the original one, which must be accepted. */
async function tryUrl(service: Service, url: string): Promise<Answer> {
  const { fields } = await service.acceptedEndpoint();
  const answer = await service.update({ url });
  (await service.update({ url: fields["url"] })).requireSuccess("the endpoint's own url is rejected: ");
  return answer;
}

/** Sections 2.1, 4.1 and 4.4: webhook endpoints. */
export const webhookEndpointChecks: readonly Check[] = [...fields, ...reading, ...writing];
