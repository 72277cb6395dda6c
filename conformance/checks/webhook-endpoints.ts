import { assumption, type Check, eachOf, needing, rule } from "../check.ts";
import {
  ARRAY,
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
} from "../pattern.ts";
import type { Fields } from "../repair.ts";
import { NotObservable } from "../report.ts";
import { Search } from "../search.ts";
import { NOBODY, READ, type Service, UNKNOWN } from "../service.ts";
import { fieldsOf, type ServiceResponse } from "../service-response.ts";
import { KINDS } from "../settings.ts";
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

/** Reads the run's endpoint. */
const read = async (service: Service) => service.send(`${READ}/${(await service.endpoint()).id}`);

/**
 * Expects that an endpoint matches a pattern when it is read and, if the run created it, in that response as well. Without an
 * id, no other rule about endpoints can be checked. Returns the fields of the pattern that the endpoint lacks.
 */
async function expectEndpoint(service: Service, body: Fields, id?: Pattern): Promise<readonly string[]> {
  if (service.settings.endpointId === undefined) {
    const { response } = await service.acceptedEndpoint(undefined, id === undefined);
    if (id !== undefined) service.check(response, { body: { id } });
    service.check(response, { body: body as Pattern });
  }
  const response = service.check(await service.readEndpoint(), { body: body as Pattern });
  const absent = Object.keys(body).filter((name) => response.fields[name] === undefined);
  if (absent.length === Object.keys(body).length)
    throw new NotObservable(`the endpoint lacks ${absent.join(", ")} (WHE-3)`);
  return absent.map((name) => `${name} (absent, see WHE-3)`);
}

/** An update of the run's endpoint, its status, and the endpoint that is read afterwards. */
type Update = readonly [fields: Fields, status: Pattern, body?: Pattern];

/** Tries updates of the run's endpoint, one after another. */
function updating(...updates: readonly Update[]): Check["run"] {
  return async (service) => {
    for (const [fields, status, body] of updates) {
      service.check(await service.update(fields), { status });
      if (body !== undefined) service.check(await read(service), { body });
    }
  };
}

/** Section 2.1: the fields of an endpoint that the run created. */
const fields: readonly Check[] = [
  rule("WHE-2", async (service) => {
    await service.endpointField("modified_at");
    service.check((await service.acceptedEndpoint()).response, { body: { modified_at: null } });
    await updating([{ name: service.newName() }, SUCCESS, { modified_at: STRING }])(service);
  }),
  rule("WHE-4", {
    ...eachOf(["discord", "slack", "raw"], (service, format) =>
      updating([{ format }, SUCCESS, { format: optional(format) }])(service),
    ),
    "other values": updating([{ format: "xml" }, REJECTED], [{ format: "RAW" }, REJECTED]),
  }),
  rule("WHE-5", async (service) => {
    const { response, fields } = await service.acceptedEndpoint();
    await service.endpointField("secret");
    const other = await service.create(fields);
    const [one = "", two = ""] = [response, other].map(({ body }) => String(fieldsOf(body)["secret"]));
    if ([...one].findIndex((character, index) => character !== two[index]) >= 2) return;
    throw service.deviation(other.request, "secrets with the same beginning", "secrets that begin differently");
  }),
  rule("WHE-6", async (service) => {
    const name = "uses_standard_webhook_signature";
    const before = (await service.endpointField(name)) as boolean;
    await updating([{ [name]: !before }, PRESENT, { [name]: before }])(service);
  }),
  rule("WHE-9", {
    "url, format and events": async (service) => {
      const { fields } = await service.acceptedEndpoint();
      const { format, events } = fields as { format: string; events: string[] };
      const response = await service.create({ ...fields, name: undefined });
      service.check(response, { status: SUCCESS, body: { url: STRING, format, events } });
    },
    api_version: async (service) => {
      await service.endpointField("api_version");
      const { fields } = await service.acceptedEndpoint();
      const api_version = service.version;
      service.check(await service.create({ ...fields, api_version }), { status: SUCCESS, body: { api_version } });
    },
  }),
];

/** Throws unless an unknown id gets a 404, which tells an accepted token from a denied one. */
function requireUnknown(response: ServiceResponse): void {
  if (response.status !== 404) throw new NotObservable(`${UNKNOWN}: ${response.summary} (GET-2)`);
}

const SCOPES = ["webhooks:read", "webhooks:write"];

/** Expects that a token which the service accepts may also read an endpoint. Only its listed scopes are known. */
async function expectAccepted(service: Service, needs: Parameters<Service["token"]>[0]): Promise<void> {
  requireUnknown(await service.send(UNKNOWN));
  const { token, scopes } = service.token(needs);
  const response = await service.send(UNKNOWN, { token });
  if (response.status === 401 || (response.status === 403 && scopes))
    throw service.deviation(`${UNKNOWN} with ${needs.kind ?? needs.scope}`, "status: 404", response.summary);
  service.check(response, { status: 404, body: {} });
}

/** Sections 2.1 and 4.1: an endpoint that is only read. */
const reading: readonly Check[] = [
  rule("WHE-1", (service) => expectEndpoint(service, OPTIONAL_TYPES, STRING)),
  rule("WHE-3", async (service) => void (await expectEndpoint(service, ALWAYS_PRESENT, PRESENT))),
  rule("WHE-7", (service) => expectEndpoint(service, { id: UUID_V4, organization_id: optional(UUID_V4) })),
  rule("WHE-8", async (service) => {
    if (service.settings.endpointId === undefined) await service.update({ name: service.newName() });
    return expectEndpoint(service, { created_at: optional(TIMESTAMP), modified_at: optional(orNull(TIMESTAMP)) });
  }),
  rule("GET-1", async (service) => {
    const { endpointId: id = (await service.endpoint()).id } = service.settings;
    service.check(await service.readEndpoint(), { status: 200, body: { id: new RegExp(`^${id}$`, "i") } });
  }),
  rule("G-UUID-FORM", async (service) => {
    const { endpointId: id = (await service.endpoint()).id } = service.settings;
    await service.readEndpoint();
    await service.expect(`${READ}/${id.toUpperCase()}`, {}, { status: 200, body: { id } });
    const others = { "without dashes": id.replaceAll("-", ""), "in braces": `{${id}}`, "as a URN": `urn:uuid:${id}` };
    const accepted: string[] = [];
    for (const [spelling, other] of Object.entries(others))
      if ((await service.send(`${READ}/${encodeURIComponent(other)}`)).status === 200) accepted.push(spelling);
    if (accepted.length > 0) throw service.deviation(`${READ}/…`, "a 422", `an id ${accepted.join(", ")} accepted`);
  }),
];

/** Section 4.1: endpoints that do not exist. */
const missing: readonly Check[] = [
  rule("GET-2", (service) => service.expect(UNKNOWN, {}, { status: 404, body: { error: "ResourceNotFound" } })),
  rule("GET-3", async (service) => {
    const body = { detail: optional(ARRAY) };
    for (const id of ["1", "6f1c0a52-3b0d-1c55-9d0e-0a4d1e6f7b21", `${NOBODY}0`])
      await service.expect(`${READ}/${id}`, {}, { status: 422, body });
  }),
  rule("GET-4", {
    "without either scope": async (service) => {
      requireUnknown(await service.send(UNKNOWN));
      await service.expect(UNKNOWN, { token: service.token({ lacks: SCOPES }).token }, { status: DENIED });
    },
    ...eachOf(SCOPES, (service, scope) =>
      expectAccepted(service, { scope, lacks: SCOPES.filter((each) => each !== scope) }),
    ),
  }),
  rule(
    "GET-5",
    eachOf(KINDS, (service, kind) => expectAccepted(service, { kind, scope: "webhooks:read" })),
  ),
];

/** Sections 4.4 and 7: creating and updating a webhook endpoint. */
const writing: readonly Check[] = [
  assumption("G-FOREIGN", "foreignEndpoint", "not-found", async (service) => {
    const { id, organization_id: owner } = await service.endpoint();
    for (const { token, scopes = ["webhooks:read"] } of service.requester.tokens) {
      const owned = await service.organizationsOf(token);
      const mayRead = scopes.some((scope) => scope.startsWith("webhooks:"));
      if (!mayRead || owned.length === 0 || owned.includes(String(owner))) continue;
      requireUnknown(await service.send(UNKNOWN, { token }));
      const response = await service.send(`${READ}/${id}`, { token });
      const value = new Map([
        [403, "forbidden"],
        [404, "not-found"],
      ]).get(response.status);
      if (value) return { value, evidence: response.summary };
      throw new NotObservable(`another organization's endpoint: ${response.summary}`);
    }
    throw new NotObservable("needs a token of another organization");
  }),
  rule("ERR-4", async (service) => {
    await service.endpointField("api_version");
    const { fields } = await service.acceptedEndpoint();
    const { api_version } = (await read(service)).fields as { api_version: string };
    service.check(await service.create({ ...fields, api_version: UNSUPPORTED }), { status: CLIENT_ERROR });
    await updating([{ api_version: UNSUPPORTED }, CLIENT_ERROR, { api_version }])(service);
  }),
  rule("VER-7", async (service) => {
    await service.endpointField("api_version");
    const api_version = await currentVersion(service);
    service.check((await service.acceptedEndpoint()).response, { body: { api_version } });
  }),
  rule("VER-8", {
    "supported versions": async (service) => {
      await service.endpointField("api_version");
      for (const api_version of await service.supported()) await updating([{ api_version }, SUCCESS])(service);
    },
    "other versions": async (service) => {
      await service.endpointField("api_version");
      await updating([{ api_version: UNSUPPORTED }, CLIENT_ERROR])(service);
    },
  }),
  rule("VER-9", async (service) => {
    await service.endpointField("api_version");
    const api_version = await service.otherVersion((await read(service)).fields["api_version"]);
    (await service.update({ api_version })).requireSuccess("another supported api_version (VER-8): ");
    service.check(await read(service), { body: { api_version } });
  }),
  rule("WHT-1", async (service) => {
    const { webhookEventTypes: types } = service.contract;
    const all = await service.update({ events: types });
    // A limit of the list is not about its types.
    if (all.problems.some(({ loc }) => loc.length <= 2)) throw new NotObservable(all.summary);
    service.check(all, { status: SUCCESS });
    service.check(await read(service), { body: { events: [oneOf(...types)] } });
    await updating([{ events: ["order.conformance"] }, REJECTED], [{ events: types.slice(0, 1) }, PRESENT])(service);
  }),
  assumption("G-EVT-ORG", "organizationField.oidc", "optional", async (service) => {
    const { token } = service.token({ kind: "oidc", scope: "webhooks:write" });
    const { fields } = await service.acceptedEndpoint(token);
    return presence(service, token, (given) => service.create({ ...fields, ...given }, token));
  }),
  rule("G-WHE-VER", async (service) => {
    await service.endpointField("api_version");
    service.check(await service.update({ api_version: UNSUPPORTED }), { status: 422 });
  }),
  assumption("G-WHE-URL", "endpointUrl.protocols", ["https:", "http:"], async (service) => {
    const accepted = [];
    for (const scheme of ["https", "http"])
      if ((await tryUrl(service, service.unusedUrl(scheme))).isAccepted("url")) accepted.push(`${scheme}:`);
    return { value: accepted, evidence: `${accepted.join(" and ")} accepted` };
  }),
  assumption("G-WHE-URL", "endpointUrl.maxLength", null, async (service) => {
    const { fields } = await service.acceptedEndpoint();
    const send = (length: number) => tryUrl(service, new URL("/", String(fields["url"])).href.padEnd(length, "x"));
    const lengths = new Search({ send, judge: (response) => response.isAccepted("url"), usual: [100, 0] });
    const [value, isMost] = await lengths.largest(LONGEST_URL);
    if (isMost) return { value: null, evidence: `at least ${LONGEST_URL}` };
    return { value, evidence: `${value} accepted, ${value + 1} rejected` };
  }),
  assumption("G-WHE-URL", "endpointUrl.stored", "sent", async (service) => {
    const { fields } = await service.acceptedEndpoint();
    const sent = String(fields["url"]).replace(/^\w+/, (scheme) => scheme.toUpperCase());
    const { url } = (await tryUrl(service, sent)).requireSuccess("a scheme in upper case is rejected: ").fields;
    const value = url === sent ? "sent" : "normalized";
    return { value, evidence: value === "sent" ? "stored in upper case" : "stored in another spelling" };
  }),
  urlSetting("credentials", ["accept", "reject"], "reject", (url) => url.replace("://", "://user:password@")),
  urlSetting("hosts", ["any", "public"], "any", (url) => `${new URL(url).protocol}//10.255.255.1/`),
];

/** The longest URL that is tried. */
const LONGEST_URL = 10_000;

/** Finds whether the service accepts another URL for an endpoint. */
function urlSetting(
  name: string,
  values: readonly [string, string],
  byDefault: string,
  other: (url: string) => string,
) {
  return assumption("G-WHE-URL", `endpointUrl.${name}`, byDefault, async (service) => {
    const { fields } = await service.acceptedEndpoint();
    const what = other(String(fields["url"]));
    return (await tryUrl(service, what)).verdict(values, { what, fields: ["url"] });
  });
}

/** Changes the URL of the run's endpoint, and restores the original one, which must be accepted. */
async function tryUrl(service: Service, url: string): Promise<ServiceResponse> {
  const { fields } = await service.acceptedEndpoint();
  const response = await service.update({ url });
  (await service.update({ url: fields["url"] })).requireSuccess("the endpoint's own url is rejected: ");
  return response;
}

/** Sections 2.1, 4.1 and 4.4: webhook endpoints. */
export const webhookEndpointChecks: readonly Check[] = [
  ...needing({ writes: "endpoints", reads: "endpoint" }, ...reading),
  ...missing,
  ...needing({ writes: "endpoints" }, ...fields, ...writing),
];
