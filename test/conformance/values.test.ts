import { expect, it } from "vitest";
import type { ConformanceReport } from "../../conformance/report.ts";
import type { ConformanceOptions } from "../../conformance/settings.ts";
import { type AssumptionChoices, createMock } from "../../mock/index.ts";
import { CURRENT } from "../support/versions.ts";
import { answers, type Deviation, deviating, type Exchange, rejects, requests, respond } from "./deviating.ts";
import { type ObservedMock, observe, observedMock } from "./observed-mock.ts";

const LOOKUP = "GET /v1/oauth2/authorize";
const INGEST = "POST /v1/events/ingest";
const UPDATE = /^PATCH/;
const customerId = "6f1c0a52-3b0d-4c55-9d0e-0a4d1e6f7b21";

const rowOf = ({ assumptions }: ConformanceReport, name: string) => assumptions.find((row) => row.name === name);

/** Observes one id. What it finds can always be passed to a mock. */
async function observed(only: string, service: ObservedMock, given: Partial<ConformanceOptions> = {}) {
  const report = await observe(service, { receiver: undefined, versions: [CURRENT], only: [only], ...given });
  expect(() => createMock({ assumptions: report.choices })).not.toThrow();
  return report;
}

type Event = Readonly<Record<string, unknown>>;

const event = (isAsked: (event: Event) => unknown) => (sent: Exchange) =>
  sent.line === INGEST && sent.body.events?.[0] && isAsked(sent.body.events[0]);
const sends = (field: string) => event((each) => each[field]);
const isUpdate = (field: string) => (sent: Exchange) => field in sent.body;
const isFuture = event(({ timestamp }) => String(timestamp).startsWith("2999"));
const ofEvent = (field: string) => ["body", "events", 0, ...field.split(".")];

/** The requests of settings with two values. */
const REQUESTS: Readonly<Record<string, (sent: Exchange) => unknown>> = {
  "G-EVT-CUST unknownCustomers": event(({ customer_id: id }) => id !== customerId),
  "G-EVT-TIME futureEvents": isFuture,
};

it.each(Object.entries(REQUESTS))("%s is reject only for a response about the request", async (key, isAsked) => {
  const [id = "", name = ""] = key.split(" ");
  for (const status of [404, 401, 409, 502]) {
    const service = observedMock();
    const fetch = deviating(service.mock, rejects(/./, status, isAsked));
    const row = rowOf(await observed(id, service, { fetch, customerId }), name);
    const reason = expect.stringMatching(new RegExp(`^\\D*${status}`));
    expect(row).toMatchObject(status === 404 ? { value: "reject" } : { outcome: "not-observable", reason });
  }
});

it("asks for a customer if the service rejects all others", async () => {
  const service = observedMock({ unknownCustomers: "reject" });
  const isExternal = sends("external_customer_id");
  const fetch = deviating(service.mock, rejects(INGEST, ofEvent("external_customer_id"), isExternal));
  const ask = (given = {}) => observed("G-FIELDS", service, { fetch, ...given });
  expect(rowOf(await ask(), "unknownFields")?.reason).toContain("(--customer)");
  service.mock.customers.create({ id: customerId });
  expect(rowOf(await ask({ customerId }), "unknownFields")).toMatchObject({ value: "ignore" });
});

/** Settings that a service does not show, with a part of the reason. */
const UNSHOWN: Readonly<Record<string, Deviation>> = {
  "G-EVT-TIME futureEvents: 422": rejects(INGEST, ofEvent("customer_id"), isFuture),
  "G-EVT-REQ requiredEventFields: 422": rejects(
    INGEST,
    ["header", "key"],
    event((each) => !each["external_id"]),
  ),
  "G-EVT-ORG organizationField.oat: 422": rejects(INGEST, ["string"], sends("organization_id")),
  "G-MEMBER uuidEventFields: a UUID is": rejects(INGEST, ofEvent("parent_id"), sends("parent_id")),
  "G-WHE-URL endpointUrl.protocols: own url is rejected": rejects(UPDATE, 422, isUpdate("url")),
  "G-CORS cors: not an origin": answers(LOOKUP, ({ headers }) => headers.set("access-control-allow-origin", "null")),
};

/** Limits above the largest number that a run tries, and metadata without objects. */
const LIMITS: AssumptionChoices = {
  eventName: { maxLength: 150_000 },
  metadata: { maxPairs: 1_500, values: "scalars" },
};

it.each(Object.entries(UNSHOWN))("does not show %s", async (key, deviation) => {
  const [id = "", name = "", reason = ""] = key.split(/(?<=^\S+) |: /);
  const service = observedMock(LIMITS);
  const report = await observed(id, service, { fetch: deviating(service.mock, deviation) });
  expect(rowOf(report, name)).toMatchObject({ outcome: "not-observable", reason: expect.stringContaining(reason) });
  expect(JSON.stringify(report.choices)).not.toContain(name.replace(/.*\./, ""));
});

it("finds the fields in which null is accepted, one by one", async () => {
  const nullFields = ["parent_id", "metadata"];
  expect(rowOf(await observed("G-NULL", observedMock({ nullFields })), "nullFields")).toMatchObject({
    value: nullFields,
  });
});

/** Access-Control-Allow-Origin of the service, and the value. */
it.each([
  ["*", "*"],
  ["https://conformance.invalid", "*"],
  ["https://app.example", ["https://app.example"]],
])("cors of a service that always allows %s", async (allowed, value) => {
  const service = observedMock();
  const allow = answers(/./, ({ headers }) => headers.set("access-control-allow-origin", allowed));
  const report = await observed("G-CORS", service, { fetch: deviating(service.mock, allow) });
  expect(rowOf(report, "cors")).toMatchObject({ value });
});

it.each([
  [1024 * 1024 - 1, 512 * 1024],
  [5 * 1024 * 1024, 5 * 1024 * 1024],
])("finds the usual limit of bodies below %i bytes", async (most, value) => {
  const service = observedMock({ maxBodyBytes: most });
  expect(rowOf(await observed("G-BODY-MAX", service), "maxBodyBytes")).toMatchObject({ value });
});

it("a token that the service does not know is not a token of another organization", async () => {
  const service = observedMock();
  const tokens = [...service.options.tokens.slice(0, 3), { kind: "oat", token: "unknown" } as const];
  const report = await observed("G-FOREIGN", service, { tokens });
  expect(rowOf(report, "foreignEndpoint")?.reason).toBe("needs a token of another organization");
});

const broken =
  (deviation: Deviation) =>
  ({ mock }: ObservedMock) => ({ fetch: deviating(mock, deviation) });

it("only reads a given endpoint, and checks its rules where none can be created", async () => {
  const service = observedMock();
  const { id } = service.mock.webhookEndpoints.create();
  const given = { endpointId: id, allowWrites: false, receiver: undefined, versions: [CURRENT] };
  const report = await observe(service, { ...given, only: ["WHE-*", "GET-*", "G-UUID-FORM"] });
  const holding = report.rules.flatMap(({ id: rule, outcome }) => (outcome === "holds" ? rule : []));
  expect(holding.join(" ")).toBe("WHE-1 WHE-3 WHE-7 WHE-8 GET-1 G-UUID-FORM GET-2 GET-3 GET-4 GET-5");
  expect(service.mock.requests.list().filter(({ method }) => method !== "GET")).toEqual([]);
  const deviation = answers(/./, ({ body }) => "id" in body && Object.assign(body, { id }));
  const only = ["WHE-1", "GET-1", "G-UUID-FORM"];
  const unknown = await observe(service, { ...given, ...broken(deviation)(service), endpointId: customerId, only });
  const row = { outcome: "not-observable", reason: expect.stringContaining("`endpointId`: 404") };
  expect(unknown.rules).toMatchObject([row, row, row]);
});

/** Returns the report on a service whose responses break rules about a record's id. */
const reported = (service: ObservedMock, deviation: Deviation, given: Partial<ConformanceOptions>) =>
  observe(service, { fetch: deviating(service.mock, deviation), receiver: undefined, versions: [CURRENT], ...given });

it("hides the id of a given endpoint", async () => {
  const service = observedMock();
  const { id } = service.mock.webhookEndpoints.create();
  const deviation = requests(`GET /v1/webhooks/endpoints/${id.toUpperCase()}`, () => respond(404));
  const given = { endpointId: id, allowWrites: false, only: ["WHE-1", "GET-1", "G-UUID-FORM"] };
  const report = await reported(service, deviation, given);
  expect(report.rules.map(({ outcome }) => outcome)).toEqual(["holds", "holds", "differs"]);
  expect(JSON.stringify(report).toLowerCase()).not.toContain(id.toLowerCase());
});

it("hides the customer and the organizations, also where a request is cut", async () => {
  const service = observedMock();
  const organizationId = service.mock.organizations.list()[0]?.id as string;
  const tokens = service.options.tokens.map((each) => ({ ...each, organizationId }));
  const only = ["ING-*", "EVT-*", "G-ING-*", "G-EVT-*"];
  const deviation = answers(INGEST, ({ body }) => (body.inserted = "1"));
  const report = await reported(service, deviation, { customerId, tokens, only });
  const text = JSON.stringify(report);
  expect(text).toContain("<customer>");
  expect(text).toMatch(/… \(\d+ characters\)/);
  // A part of an id is data, too.
  for (const id of [customerId, organizationId]) expect(text).not.toContain(id.slice(0, 8));
});
