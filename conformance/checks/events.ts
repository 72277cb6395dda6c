import { assumption, type Check, needing, rule } from "../check.ts";
import { DENIED, INTEGER, oneOf, SUCCESS } from "../pattern.ts";
import type { Fields } from "../repair.ts";
import { NotObservable, type Observed } from "../report.ts";
import { INGEST, type Service } from "../service.ts";
import type { ServiceResponse } from "../service-response.ts";
import type { ConformanceToken } from "../settings.ts";

const needsCustomer = () => new NotObservable("unknown customers are rejected (--customer)");

/** Sections 2.2 and 2.3: events and the response to them. */
const rules: readonly Check[] = [
  rule("EVT-1", async (service) => {
    const { fields } = await service.acceptedEvent();
    const { customer_id = service.settings.customerId, external_customer_id = service.newId() } = fields;
    if (customer_id === undefined) throw needsCustomer();
    const own = { customer_id, external_customer_id: undefined };
    const response = await service.ingest(own, { customer_id: undefined, external_customer_id });
    if (response.names("external_customer_id")) throw new NotObservable("external customers are rejected");
    service.check(response, { status: SUCCESS });
  }),
  rule("EVT-3", async (service) => {
    const { fields } = await service.acceptedEvent();
    const { name, customer_id = service.settings.customerId ?? service.newId() } = fields;
    const timestamp = fields["timestamp"] ?? new Date(Date.now() - 300_000).toISOString();
    const response = await service.send(INGEST, { json: { events: [{ timestamp, name, customer_id }] } });
    const [problem] = response.problems;
    if (problem?.type === "missing")
      throw new NotObservable(`${problem.loc.join(".")} is required (G-EVT-REQ, G-EVT-ORG)`);
    if (response.names("timestamp")) throw new NotObservable("the clock of the service is far from this machine's");
    if (response.names("customer_id")) throw needsCustomer();
    service.check(response, { status: SUCCESS });
  }),
  rule("ING-1", async (service) => {
    const { response } = await service.acceptedEvent(undefined, false);
    service.check(response, { body: { inserted: INTEGER, duplicates: INTEGER } });
  }),
  rule("ING-2", async (service) => {
    const response = await service.ingest({ external_id: service.newId() }, { external_id: service.newId() });
    service.check(response.requireSuccess(), { body: { inserted: 2 } });
  }),
  rule("G-ING-SUM", async (service) => {
    const response = await service.ingest({ external_id: service.newId() }, {}, {});
    const { inserted = 0, duplicates = 0 } = response.requireSuccess().fields;
    if (Number(inserted) + Number(duplicates) === 3) return;
    throw service.deviation(response.request, "a sum of 3", `${inserted} + ${duplicates}`);
  }),
  rule("G-ING-STATUS", async (service) => {
    service.check((await service.acceptedEvent()).response, { status: 200 });
  }),
  rule("G-EVT-BOTH", async (service) => {
    const { fields } = await service.acceptedEvent();
    const { customer_id = service.newId(), external_customer_id = service.newId() } = fields;
    service.check(await service.ingest({ customer_id, external_customer_id }), { status: 422 });
  }),
  rule("ING-3", (service) => expectDenied(service, service.token({ kind: "oat", lacks: ["events:write"] }))),
  rule("ING-4", {
    pat: (service) => expectAllowed(service, service.token({ kind: "pat", scope: "events:write" })),
    oat: (service) => expectAllowed(service, service.token({ kind: "oat", scope: "events:write" })),
    oidc: (service) => expectDenied(service, service.token({ kind: "oidc", scope: "events:write" })),
  }),
  rule("ING-5", async (service) => {
    for (const event of [{}, { name: 1 }, "event", { name: "conformance", customer_id: "1" }])
      await service.expect(INGEST, { json: { events: [event] } }, { status: 422 });
  }),
  rule("G-ING-ATOMIC", async (service) => {
    const event = { ...(await service.acceptedEvent()).fields, external_id: service.newId() };
    await service.expect(INGEST, { json: { events: [event, {}] } }, { status: 422 });
    const response = await service.send(INGEST, { json: { events: [event] } });
    service.check(response.requireSuccess(), { body: { inserted: 1 } });
  }),
  rule("G-EVT-TIME", async (service) => {
    const accepted: string[] = [];
    for (const [spelling, timestamp] of Object.entries(SPELLINGS))
      if ((await service.ingest({ timestamp })).isAccepted("timestamp")) accepted.push(spelling);
    if (accepted.length > 0) throw service.deviation(INGEST, "a 422", `a timestamp ${accepted.join(", ")} accepted`);
  }),
];

/** Spellings of a timestamp that are not in the form of the specification (RFC 3339 with upper case). */
const SPELLINGS = {
  "in lower case": "2020-01-01t00:00:00z",
  "with a space": "2020-01-01 00:00:00Z",
  "without seconds": "2020-01-01T00:00Z",
  "with an offset without colon": "2020-01-01T00:00:00+0000",
  "as a number": 1_577_836_800,
};

/** Expects that a token gets as far as the events. Only its listed scopes are known. */
async function expectAllowed(service: Service, { token, scopes }: ConformanceToken): Promise<void> {
  await service.tokenFor(INGEST);
  const response = await service.send(INGEST, { token, json: { events: [{}] } });
  if (response.status === 401 || (response.status === 403 && scopes))
    throw service.deviation(response.request, "status: 422", response.summary);
  service.check(response, { status: oneOf(400, 422) });
}

/** Expects that a token is denied a valid event: an invalid one may be rejected before the token is looked at. */
async function expectDenied(service: Service, { token }: ConformanceToken): Promise<void> {
  const { fields } = await service.acceptedEvent();
  const response = await service.send(INGEST, { token, json: { events: [fields] } });
  if (response.status === 422) throw new NotObservable(`${response.summary}, for an event of another token`);
  service.check(response, { status: DENIED });
}

const ACCEPT: readonly [string, string] = ["accept", "reject"];

/** An event's optional fields, except fields that other assumptions cover. */
const OPTIONAL = ["timestamp", "external_id", "parent_id", "member_id", "metadata"];

/** Returns the optional fields without which the service rejects an event. */
function requiredFields(service: Service): Promise<readonly string[]> {
  return service.once("required fields", async () => {
    const { fields } = await service.acceptedEvent();
    const required: string[] = [];
    for (const field of OPTIONAL.filter((each) => fields[each] !== undefined))
      if (!(await service.ingest({ [field]: undefined })).isAccepted(field)) required.push(field);
    return required;
  });
}

/** Finds the presence of `organization_id` that the service asks of a kind of credential. */
function organizationField(kind: "pat" | "oat"): Check {
  return assumption("G-EVT-ORG", `organizationField.${kind}`, "optional", async (service) => {
    const { token } = service.token({ kind, scope: "events:write" });
    return presence(service, token, (fields) => service.ingestWith(token, fields));
  });
}

/** Finds whether a request requires, allows or forbids `organization_id`. */
export async function presence(
  service: Service,
  token: string,
  send: (fields: Fields) => Promise<ServiceResponse>,
): Promise<Observed> {
  const field = "organization_id";
  const given = await send({ [field]: await service.ownOrganization(token) });
  if (given.names(field)) return { value: "forbidden", evidence: given.summary };
  if (!given.isAccepted()) throw new NotObservable(`with ${field}: ${given.summary}`);
  const absent = await send({ [field]: undefined });
  const evidence = absent.summary;
  if (absent.isAccepted(field)) return { value: "optional", evidence };
  if ((await service.organizationsOf(token)).length <= 1) return { value: "required", evidence };
  throw new NotObservable("needs a token with access to one organization only");
}

/** Finds whether events with unusual fields are accepted. */
function unusual(id: string, name: string, changes: (service: Service) => Fields, values = ACCEPT): Check {
  return assumption(id, name, values[0], async (service) => {
    const fields = changes(service);
    return (await service.ingest(fields)).verdict(values, { fields: Object.keys(fields) });
  });
}

/** Sections 2.2, 2.3 and 4.2: what the specification leaves open about events. */
const assumptions: readonly Check[] = [
  unusual("G-EVT-CUST", "unknownCustomers", (service) => ({
    customer_id: service.newId(),
    external_customer_id: undefined,
  })),
  unusual("G-EVT-TIME", "futureEvents", () => ({ timestamp: "2999-01-01T00:00:00Z" })),
  unusual("G-FIELDS", "unknownFields", () => ({ conformance: true }), ["ignore", "reject"]),
  assumption("G-401-BAD", "otherSchemes", "reject", async (service) => {
    const { token } = service.token({ kind: "oidc", scope: "events:write" });
    const { fields } = await service.acceptedEvent();
    const { status, summary } = await service.send(INGEST, { token, json: { events: [fields] } });
    return { value: status === 401 || status === 403 ? "reject" : "accept", evidence: `ingest with oidc: ${summary}` };
  }),
  assumption("G-NULL", "nullFields", "reject", async (service) => {
    const required = await requiredFields(service);
    const verdicts = new Map<string, string[]>([
      ["accept", []],
      ["reject", []],
    ]);
    for (const field of OPTIONAL.filter((name) => !required.includes(name))) {
      const response = await service.ingest({ [field]: null });
      verdicts.get(response.isAccepted(field) ? "accept" : "reject")?.push(field);
    }
    const found = [...verdicts].filter(([, fields]) => fields.length > 0);
    const evidence = found.map(([verdict, fields]) => `${verdict}ed: ${fields.join(", ")}`).join("; ");
    const [[value] = [undefined]] = found;
    if (value === undefined) throw new NotObservable("every optional field of an event is required (G-EVT-REQ)");
    return { value: found.length > 1 ? (verdicts.get("accept") ?? []) : value, evidence };
  }),
  organizationField("pat"),
  organizationField("oat"),
  assumption("G-EVT-REQ", "requiredEventFields", [], async (service) => {
    const required = await requiredFields(service);
    return { value: required, evidence: required.length === 0 ? "none is missing" : `missing: ${required.join(", ")}` };
  }),
  assumption("G-MEMBER", "uuidEventFields", [], async (service) => {
    const uuids: string[] = [];
    const unclear: string[] = [];
    for (const field of ["external_id", "parent_id", "member_id"]) {
      const response = await service.ingest({ [field]: `conformance-${service.requester.run}` });
      if (response.isAccepted(field)) continue;
      const control = await service.ingest({ [field]: service.newId() });
      if (control.status < 300) uuids.push(field);
      else unclear.push(`a ${field} that is a UUID is rejected as well: ${control.summary}`);
    }
    if (unclear.length > 0 && uuids.length === 0) throw new NotObservable(unclear.join("; "));
    const evidence = [uuids.length === 0 ? "any string is accepted" : `422 at ${uuids.join(", ")}`, ...unclear];
    return { value: uuids, evidence: evidence.join("; ") };
  }),
  assumption("G-EVT-DUP", "duplicateEvents", "skip", async (service) => {
    const same = { external_id: service.newId() };
    const response = await service.ingest(same, same);
    const { inserted } = response.fields;
    if (inserted !== 1 && inserted !== 2) throw new NotObservable(response.summary);
    const evidence = `${inserted} of two events with the same external_id`;
    return { value: inserted === 2 ? "store" : "skip", evidence };
  }),
];

/** Sections 2.2, 2.3 and 4.2: usage events. */
export const eventChecks: readonly Check[] = needing({ writes: "events" }, ...rules, ...assumptions);
