import { assumption, type Check, rule } from "../check.ts";
import type { Answer } from "../connection.ts";
import {
  acceptedEvent,
  type Fields,
  INGEST,
  Incomplete,
  ingest,
  ingestToken,
  newId,
  organizationsOf,
  ownOrganization,
  withEvent,
} from "../fixtures.ts";
import type { ConformanceToken } from "../options.ts";
import { NotObservable, type Observed } from "../outcome.ts";
import { DENIED, oneOf, SUCCESS } from "../pattern.ts";
import { isAccepted, problemsOf, requireSuccess, type Service, summaryOf, verdict } from "../service.ts";

const WRITES = { writes: "events", requests: 1 } as const;
const REJECTED = oneOf(400, 422);

/** Returns whether a 422 names a field of the first event. */
function names(answer: Answer, field: string): boolean {
  return problemsOf(answer).some(({ loc }) => loc[3] === field);
}

const ACCEPT = ["accept", "reject"] as const;
const NEEDS_CUSTOMER = "needs `customerId`, because unknown customers are rejected";

/** Sections 2.2 and 2.3: events and the response to them. */
const rules: readonly Check[] = [
  rule("EVT-1", WRITES, async (service) => {
    const { fields } = await acceptedEvent(service);
    const { customer_id: customer = service.settings.customerId, external_customer_id: external, ...shared } = fields;
    if (customer === undefined) throw new NotObservable(NEEDS_CUSTOMER);
    const events = [
      { ...shared, customer_id: customer },
      { ...shared, external_customer_id: external ?? newId(service) },
    ];
    const answer = await service.send(INGEST, { json: { events } });
    if (names(answer, "external_customer_id")) throw new NotObservable("external customers are rejected (G-EVT-EXT)");
    service.check(answer, { status: SUCCESS });
  }),
  rule("EVT-3", WRITES, async (service) => {
    const { fields } = await acceptedEvent(service);
    const { name, customer_id = service.settings.customerId ?? newId(service) } = fields;
    const timestamp = fields["timestamp"] ?? new Date(Date.now() - 300_000).toISOString();
    const answer = await service.send(INGEST, { json: { events: [{ timestamp, name, customer_id }] } });
    const [problem] = problemsOf(answer);
    if (problem?.type === "missing")
      throw new NotObservable(`${problem.loc.join(".")} is required (G-EVT-REQ, G-EVT-ORG)`);
    if (problem?.loc[3] === "timestamp") throw new NotObservable("the clock of the service is far from this machine's");
    if (problem?.loc[3] === "customer_id") throw new NotObservable(NEEDS_CUSTOMER);
    service.check(answer, { status: SUCCESS });
  }),
  rule("ING-1", WRITES, async (service) => {
    const { answer } = await acceptedEvent(service).catch((error: unknown) => {
      if (error instanceof Incomplete) return error;
      throw error;
    });
    service.check(answer, { body: { inserted: Number, duplicates: Number } });
  }),
  rule("ING-2", { ...WRITES, requests: 2 }, async (service) => {
    const answer = await ingestAll(service, [{ external_id: newId(service) }, { external_id: newId(service) }]);
    service.check(requireSuccess(answer), { body: { inserted: 2 } });
  }),
  rule("G-ING-SUM", { ...WRITES, requests: 2 }, async (service) => {
    const answer = await ingestAll(service, [{ external_id: newId(service) }, {}, {}]);
    const { inserted = 0, duplicates = 0 } = (requireSuccess(answer).body ?? {}) as Record<string, number>;
    if (inserted + duplicates !== 3)
      throw service.deviation(answer.request, "a sum of 3", `${inserted} + ${duplicates}`);
  }),
  rule("ING-3", WRITES, async (service) => {
    const { token } = service.token({ kind: "oat", lacks: ["events:write"] });
    await expectDenied(service, token);
  }),
  rule("ING-4", { ...WRITES, requests: 4, tokens: ["oidc", "pat", "oat"] }, async (service) => {
    for (const kind of ["pat", "oat"] as const) {
      const { token } = service.token({ kind, scope: "events:write" });
      await service.expect(INGEST, { token, json: { events: [{}] } }, { status: REJECTED });
    }
    const { token } = service.token({ kind: "oidc", scope: "events:write" });
    await expectDenied(service, token);
  }),
  rule("ING-5", { ...WRITES, requests: 4 }, async (service) => {
    const token = ingestToken(service).token;
    for (const event of [{}, { name: 1 }, "event", { name: "conformance", customer_id: "1" }]) {
      await service.expect(INGEST, { token, json: { events: [event] } }, { status: 422 });
    }
  }),
  rule("G-ING-ATOMIC", { ...WRITES, requests: 4 }, async (service) => {
    const external_id = newId(service);
    const event = await withEvent(service, { external_id });
    await service.expect(INGEST, { json: { events: [event, {}] } }, { status: 422 });
    const answer = await service.send(INGEST, { json: { events: [event] } });
    service.check(requireSuccess(answer), { body: { inserted: 1 } });
  }),
];

/** Expects that a token is denied a valid event: an invalid one may be rejected before the token is looked at. */
async function expectDenied(service: Service, token: string): Promise<void> {
  const answer = await service.send(INGEST, { token, json: { events: [await withEvent(service, {})] } });
  if (answer.status === 422) throw new NotObservable(`${summaryOf(answer)}, for an event of another token`);
  service.check(answer, { status: DENIED });
}

/** Ingests several events: what the service accepts, with other fields. */
async function ingestAll(service: Service, fields: readonly Fields[]): Promise<Answer> {
  const events = await Promise.all(fields.map((each) => withEvent(service, each)));
  return service.send(INGEST, { json: { events } });
}

/** An event's optional fields, except fields that other assumptions cover. */
const OPTIONAL = ["timestamp", "external_id", "parent_id", "member_id", "metadata"];
const TEXTS = ["external_id", "parent_id", "member_id"];

/** Returns the optional fields without which the service rejects an event. */
function requiredFields(service: Service): Promise<readonly string[]> {
  return service.once("required fields", async () => {
    const { fields } = await acceptedEvent(service);
    const required: string[] = [];
    for (const field of OPTIONAL) {
      if (field in fields && !isAccepted(await ingest(service, { [field]: undefined }))) required.push(field);
    }
    return required;
  });
}

/** Finds the presence of `organization_id` that the service asks of a kind of credential. */
function organizationField(kind: "pat" | "oat"): Check {
  const needs = { ...WRITES, requests: 4, tokens: [kind] };
  return assumption("G-EVT-ORG", `organizationField.${kind}`, "optional", needs, (service) => {
    const token = service.token({ kind, scope: "events:write" });
    return presence(service, token, (fields) => ingest(service, fields, token));
  });
}

/** Finds whether a request requires, allows or forbids `organization_id`. */
export async function presence(
  service: Service,
  { token }: ConformanceToken,
  send: (fields: Fields) => Promise<Answer>,
): Promise<Observed> {
  const given = await send({ organization_id: await ownOrganization(service, token) });
  const isNamed = problemsOf(given).some(({ loc }) => loc.at(-1) === "organization_id");
  if (isNamed) return { value: "forbidden", evidence: summaryOf(given) };
  if (!isAccepted(given)) throw new NotObservable(`with organization_id: ${summaryOf(given)}`);
  const absent = await send({ organization_id: undefined });
  const isRequired = !isAccepted(absent);
  if (isRequired && (await organizationsOf(service, token)).length > 1)
    throw new NotObservable("needs a token with access to one organization only");
  return { value: isRequired ? "required" : "optional", evidence: summaryOf(absent) };
}

/** The settings for events with unusual fields. */
const FIELDS: readonly (readonly [
  id: string,
  name: string,
  byDefault: string,
  values: readonly [accepted: string, rejected: string],
  fields: (service: Service) => Fields,
])[] = [
  [
    "G-EVT-CUST",
    "unknownCustomers",
    "accept",
    ACCEPT,
    (service) => ({ customer_id: newId(service), external_customer_id: undefined }),
  ],
  [
    "G-EVT-EXT",
    "externalCustomers",
    "accept",
    ACCEPT,
    (service) => ({ customer_id: undefined, external_customer_id: newId(service) }),
  ],
  ["G-EVT-TIME", "futureEvents", "accept", ACCEPT, () => ({ timestamp: "2999-01-01T00:00:00Z" })],
  ["G-FIELDS", "unknownFields", "ignore", ["ignore", "reject"], () => ({ conformance: true })],
];

/** Sections 2.2, 2.3 and 4.2: what the specification leaves open about events. */
const assumptions: readonly Check[] = [
  ...FIELDS.map(([id, name, byDefault, values, fields]) =>
    assumption(id, name, byDefault, WRITES, async (service) => verdict(await ingest(service, fields(service)), values)),
  ),
  assumption("G-EVT-BOTH", "bothCustomerIds", "reject", WRITES, async (service) => {
    const { fields } = await acceptedEvent(service);
    const { customer_id = newId(service), external_customer_id = newId(service) } = fields;
    const answer = await ingest(service, { customer_id, external_customer_id });
    const isUnknown = !("customer_id" in fields) && names(answer, "customer_id");
    if (isUnknown && !names(answer, "external_customer_id")) throw new NotObservable(NEEDS_CUSTOMER);
    return verdict(answer, ACCEPT);
  }),
  assumption("G-NULL", "nullFields", "reject", { ...WRITES, requests: 6 }, async (service) => {
    const required = await requiredFields(service);
    const field = OPTIONAL.find((name) => !required.includes(name));
    if (field === undefined) throw new NotObservable("every optional field of an event is required (G-EVT-REQ)");
    return verdict(await ingest(service, { [field]: null }), ACCEPT);
  }),
  assumption("G-CONTENT-TYPE", "otherContentTypes", "reject", WRITES, async (service) => {
    const body = JSON.stringify({ events: [await withEvent(service, {})] });
    const answer = await service.send(INGEST, { body, headers: { "Content-Type": "text/plain" } });
    return verdict(answer, ACCEPT, "text/plain");
  }),
  assumption("G-EMPTY", "emptyBodies", "accept", WRITES, async (service) => {
    await acceptedEvent(service);
    return verdict(await service.send(INGEST, { json: { events: [] } }), ACCEPT);
  }),
  organizationField("pat"),
  organizationField("oat"),
  assumption("G-ING-STATUS", "ingestStatus", null, WRITES, async (service) => {
    const { answer } = await acceptedEvent(service);
    return { value: answer.status === 200 ? null : answer.status, evidence: String(answer.status) };
  }),
  assumption("G-EVT-REQ", "requiredEventFields", [], { ...WRITES, requests: 6 }, async (service) => {
    const required = await requiredFields(service);
    return { value: required, evidence: required.length === 0 ? "none is missing" : `missing: ${required.join(", ")}` };
  }),
  assumption("G-MEMBER", "uuidEventFields", [], { ...WRITES, requests: 3 }, async (service) => {
    const uuids: string[] = [];
    for (const field of TEXTS) {
      const answer = await ingest(service, { [field]: `conformance-${service.session.run}` });
      if (names(answer, field)) uuids.push(field);
      else if (!isAccepted(answer)) throw new NotObservable(`a ${field} that is not a UUID: ${summaryOf(answer)}`);
    }
    return { value: uuids, evidence: uuids.length === 0 ? "any string is accepted" : `422 at ${uuids.join(", ")}` };
  }),
  assumption("G-EVT-DUP", "duplicateEvents", "skip", { ...WRITES, requests: 2 }, async (service) => {
    const same = { external_id: newId(service) };
    const answer = await ingestAll(service, [same, same]);
    const { inserted } = (answer.body ?? {}) as { inserted?: unknown };
    if (inserted !== 1 && inserted !== 2) throw new NotObservable(summaryOf(answer));
    return {
      value: inserted === 2 ? "store" : "skip",
      evidence: `${inserted} of two events with the same external_id`,
    };
  }),
];

/** Sections 2.2, 2.3 and 4.2: usage events. */
export const eventChecks: readonly Check[] = [...rules, ...assumptions];
