import { assumption, type Check, rule } from "../check.ts";
import type { Answer } from "../connection.ts";
import {
  acceptedEndpoint,
  create,
  type Endpoint,
  endpoint,
  type Fields,
  Incomplete,
  NOBODY,
  nameFor,
  organizationsOf,
  readEndpoint,
  unusedUrl,
  update,
} from "../fixtures.ts";
import { versions } from "../generated/versions.ts";
import { NotObservable } from "../outcome.ts";
import {
  CLIENT_ERROR,
  DENIED,
  mismatch,
  oneOf,
  optional,
  orNull,
  type Pattern,
  PRESENT,
  SUCCESS,
  test,
} from "../pattern.ts";
import { isAccepted, type Service, summaryOf, verdict } from "../service.ts";
import { presence } from "./events.ts";
import { currentVersion, UNSUPPORTED } from "./versions.ts";

/** The path of the endpoints. */
const PATH = "/v1/webhooks/endpoints";
const UNKNOWN = `GET ${PATH}/${NOBODY}`;
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

const WRITES = { writes: "endpoints", requests: 2 } as const;
const OIDC = { ...WRITES, requests: 6, tokens: ["oidc"] } as const;
const READS = { ...WRITES, reads: "endpoint" } as const;

const read = (service: Service, { id }: Endpoint) => service.send(`GET ${PATH}/${id}`);

/** Expects that an endpoint matches a pattern when it is read and, if the run created it, in that response as well. */
async function expectEndpoint(service: Service, body: Pattern, id?: Pattern): Promise<void> {
  if (service.settings.endpointId === undefined) {
    const answer = id === undefined ? (await acceptedEndpoint(service)).answer : await created(service, id);
    service.check(answer, { body });
  }
  service.check(await readEndpoint(service), { body });
}

/** Updates the run's endpoint, and expects a status and the endpoint that is read afterwards. */
async function expectUpdate(service: Service, fields: Fields, status: Pattern, body?: Pattern): Promise<void> {
  service.check(await update(service, fields), { status });
  if (body !== undefined) service.check(await read(service, await endpoint(service)), { body });
}

/** Returns the response that created the run's endpoint. Throws a deviation if it is not an endpoint. */
async function created(service: Service, id: Pattern): Promise<Answer> {
  try {
    return (await acceptedEndpoint(service)).answer;
  } catch (error) {
    if (error instanceof Incomplete) service.check(error.answer, { body: { id } });
    throw error;
  }
}

/** Section 2.1: the fields of a webhook endpoint. */
const fields: readonly Check[] = [
  rule("WHE-1", READS, (service) =>
    expectEndpoint(
      service,
      Object.fromEntries(Object.entries(TYPES).map(([name, type]) => [name, optional(type)])),
      String,
    ),
  ),
  rule("WHE-2", { ...WRITES, requests: 3 }, async (service) => {
    const { answer } = await acceptedEndpoint(service);
    service.check(answer, { body: { modified_at: optional(null) } });
    await expectUpdate(service, { name: `conformance ${service.session.run}` }, SUCCESS, {
      modified_at: optional(String),
    });
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
  rule("WHE-5", { ...WRITES, requests: 4 }, async (service) => {
    const { answer, fields } = await acceptedEndpoint(service);
    const other = await create(service, fields);
    const secrets = [answer, other].map(({ body }) => String((body as Endpoint)["secret"]));
    const [one = "", two = ""] = secrets;
    const length = [...one].findIndex((character, index) => character !== two[index]);
    if (length >= 2) return;
    throw service.deviation(other.request, "secrets with the same beginning", "secrets that begin differently");
  }),
  rule("WHE-6", { ...WRITES, requests: 3 }, async (service) => {
    const { uses_standard_webhook_signature: before } = await endpoint(service);
    await update(service, { uses_standard_webhook_signature: !before });
    service.check(await read(service, await endpoint(service)), {
      body: { uses_standard_webhook_signature: before as boolean },
    });
  }),
  rule("WHE-7", READS, (service) => expectEndpoint(service, { id: UUID_V4, organization_id: optional(UUID_V4) })),
  rule("WHE-8", { ...READS, requests: 3 }, async (service) => {
    if (service.settings.endpointId === undefined) await update(service, { name: nameFor(service.session) });
    await expectEndpoint(service, { created_at: optional(TIMESTAMP), modified_at: optional(orNull(TIMESTAMP)) });
  }),
  rule("WHE-9", { ...WRITES, requests: 4 }, async (service) => {
    const { fields } = await acceptedEndpoint(service);
    const status = oneOf(200, 201);
    const { format, events } = fields as Record<string, Pattern>;
    const url = sameUrl(String(fields["url"]));
    const name = optional(orNull(String));
    const asSent = { url, name, format: format as string, events: events as readonly string[] };
    service.check(await create(service, { ...fields, name: undefined }), { status, body: asSent });
    service.check(await create(service, { ...fields, api_version: service.version }), {
      status,
      body: { url },
    });
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

/** Describes a URL that may be written in another way. */
function sameUrl(url: string): Pattern {
  const { href } = new URL(url);
  return test(JSON.stringify(url), (value) => URL.canParse(String(value)) && new URL(String(value)).href === href);
}

/** Section 4.1: reading a webhook endpoint. */
const reading: readonly Check[] = [
  rule("GET-1", READS, async (service) => {
    const { endpointId = (await endpoint(service)).id } = service.settings;
    service.check(await readEndpoint(service), { status: 200, body: { id: endpointId } });
  }),
  rule("GET-2", { requests: 1 }, (service) =>
    service.expect(UNKNOWN, {}, { status: 404, body: { error: "ResourceNotFound" } }),
  ),
  rule("GET-3", { requests: 3 }, async (service) => {
    for (const id of ["1", "6f1c0a52-3b0d-1c55-9d0e-0a4d1e6f7b21", `${NOBODY}0`]) {
      await service.expect(`GET ${PATH}/${id}`, {}, { status: 422 });
    }
  }),
  rule("GET-4", { requests: 4 }, async (service) => {
    const [read, write] = ["webhooks:read", "webhooks:write"];
    const [none, reader, writer] = [
      { lacks: [read, write] },
      { scope: read, lacks: [write] },
      { scope: write, lacks: [read] },
    ];
    requireUnknown(await service.send(UNKNOWN));
    await service.expect(UNKNOWN, { token: service.token(none).token }, { status: DENIED });
    for (const needs of [reader, writer])
      await service.expect(UNKNOWN, { token: service.token(needs).token }, { status: 404, body: {} });
  }),
  rule("GET-5", { requests: 3, tokens: ["oidc", "pat", "oat"] }, async (service) => {
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
    await service.expect(`GET ${PATH}/${id.toUpperCase()}`, {}, { status: 200, body: { id } });
  }),
  assumption("G-FOREIGN", "foreignEndpoint", "not-found", { ...WRITES, requests: 5 }, async (service) => {
    const { id, organization_id: owner } = await endpoint(service);
    for (const { token, scopes = ["webhooks:read"] } of service.settings.tokens) {
      const mayRead = scopes.some((scope) => scope.startsWith("webhooks:"));
      if (!mayRead || (await organizationsOf(service, token)).includes(String(owner))) continue;
      const answer = await service.send(`GET ${PATH}/${id}`, { token });
      const value = answer.status === 404 ? "not-found" : "forbidden";
      if (answer.status === 404 || DENIED.fits(answer.status)) return { value, evidence: summaryOf(answer) };
      throw new NotObservable(`another organization's endpoint: ${summaryOf(answer)}`);
    }
    throw new NotObservable("needs a token of another organization");
  }),
];

/** Sections 4.4 and 7: creating and updating a webhook endpoint. */
const writing: readonly Check[] = [
  rule("ERR-4", { ...WRITES, requests: 4 }, async (service) => {
    const { fields } = await acceptedEndpoint(service);
    const { id, api_version: before } = (await read(service, await endpoint(service))).body as Endpoint;
    service.check(await create(service, { ...fields, api_version: UNSUPPORTED }), { status: CLIENT_ERROR });
    await expectUpdate(service, { api_version: UNSUPPORTED }, CLIENT_ERROR);
    await service.expect(`GET ${PATH}/${id}`, {}, { body: { api_version: before as string } });
  }),
  rule("VER-7", { ...WRITES, requests: 13 }, async (service) => {
    const current = await currentVersion(service);
    service.check((await acceptedEndpoint(service)).answer, { body: { api_version: current } });
  }),
  rule("VER-8", WRITES, async (service) => {
    await expectUpdate(service, { api_version: service.version }, SUCCESS);
  }),
  rule("VER-9", { ...WRITES, requests: 3 }, async (service) => {
    const { id, api_version: before } = (await read(service, await endpoint(service))).body as Endpoint;
    const other = versions.find(({ contract }) => contract.version !== before)?.contract.version as string;
    const answer = await update(service, { api_version: other });
    if (!isAccepted(answer)) throw new NotObservable(`another supported api_version: ${summaryOf(answer)} (VER-8)`);
    await service.expect(`GET ${PATH}/${id}`, {}, { body: { api_version: other } });
  }),
  rule("WHT-1", { ...WRITES, requests: 4 }, async (service) => {
    const { webhookEventTypes: types } = service.contract;
    await expectUpdate(service, { events: types }, SUCCESS, { events: types.length > 0 ? [oneOf(...types)] : [] });
    await expectUpdate(service, { events: ["order.conformance"] }, REJECTED);
    await update(service, { events: [types[0]] });
  }),
  assumption("G-WHE-PATHS", "endpointWrites", "served", WRITES, async (service) => {
    const known = await service.send(UNKNOWN);
    if (mismatch(known.body, { error: "ResourceNotFound" }))
      throw new NotObservable(`${UNKNOWN}: ${summaryOf(known)} (GET-2)`);
    const answer = await create(service, {});
    const absent = !isAccepted(answer) && (answer.status === 404 || answer.status === 405);
    return { value: absent ? "absent" : "served", evidence: `POST ${PATH}: ${answer.status}` };
  }),
  assumption("G-EVT-ORG", "organizationField.oidc", "optional", OIDC, async (service) => {
    const token = service.token({ kind: "oidc", scope: "webhooks:write" });
    const { fields } = await acceptedEndpoint(service, token.token);
    return presence(service, token, (given) => create(service, { ...fields, ...given }, token.token));
  }),
  assumption("G-WHE-VER", "unsupportedApiVersionStatus", null, WRITES, async (service) => {
    const answer = await update(service, { api_version: UNSUPPORTED });
    if (isAccepted(answer)) throw new NotObservable(`${summaryOf(answer)} (ERR-4)`);
    return { value: answer.status === 422 ? null : answer.status, evidence: summaryOf(answer) };
  }),
  assumption("G-WHE-URL", "endpointUrl.protocols", ["https:", "http:"], { ...WRITES, requests: 4 }, async (service) => {
    const accepted = [];
    for (const scheme of ["https", "http"])
      if (isAccepted(await tryUrl(service, unusedUrl(service, scheme)))) accepted.push(`${scheme}:`);
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
) {
  return assumption("G-WHE-URL", `endpointUrl.${name}`, byDefault, { ...WRITES, requests: 4 }, async (service) => {
    const { fields } = await acceptedEndpoint(service);
    const url = other(String(fields["url"]));
    return verdict(await tryUrl(service, url), values, url);
  });
}

/** Changes the URL of the run's endpoint, and restores the original one. */
async function tryUrl(service: Service, url: string): Promise<Answer> {
  const { fields } = await acceptedEndpoint(service);
  const answer = await update(service, { url });
  if (isAccepted(answer)) await update(service, { url: fields["url"] });
  return answer;
}

/** Sections 2.1, 4.1 and 4.4: webhook endpoints. */
export const webhookEndpointChecks: readonly Check[] = [...fields, ...reading, ...writing];
