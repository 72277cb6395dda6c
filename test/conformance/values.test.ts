import { expect, it, vi } from "vitest";
import { type ConformanceOptions, type ConformanceReport, planConformance } from "../../conformance/index.ts";
import { type AssumptionChoices, createMock } from "../../mock/index.ts";
import { CURRENT } from "../support/versions.ts";
import { answers, type Deviation, deviating, type Exchange, rejects, requests, respond } from "./deviating.ts";
import { type ObservedMock, observe, observedMock, received } from "./observed-mock.ts";

const LOOKUP = "GET /v1/oauth2/authorize";
const INGEST = "POST /v1/events/ingest";
const UPDATE = /^PATCH/;
const READ = /^GET \/v1\/webhooks/;
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
  "G-CONTENT-TYPE otherContentTypes": ({ headers }) => headers.get("content-type") === "text/plain",
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
  expect(rowOf(await ask(), "unknownFields")).toMatchObject({ option: "customerId" });
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
  "G-AUT-ORG authorizeVariant.oat: no sub_type": answers(LOOKUP, ({ body }) => delete body.sub_type),
  "G-WHE-URL endpointUrl.protocols: own url is rejected": rejects(UPDATE, 422, isUpdate("url")),
  "G-PRODUCTS products.maxLimit: does not apply": answers(/products/, ({ body }) => (body.items.length = 10)),
  "G-CORS cors: 503": rejects(LOOKUP, 503, ({ headers }) => headers.has("origin")),
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

it("tries all given origins, within the requests of the plan", async () => {
  const origins = [
    ...Array.from({ length: 99 }, (_, index) => `https://app-${index}.example`),
    "capacitor://localhost",
  ];
  const service = observedMock({ cors: origins.slice(-1) });
  const report = await observed("G-CORS", service, { origins });
  expect(report.complete).toBe(true);
  expect(rowOf(report, "cors")).toMatchObject({ value: origins.slice(-1) });
  const plan = (more: object) => planConformance({ ...service.options, only: ["G-CORS"], ...more }).requests;
  expect(plan({ origins }) - plan({})).toBeGreaterThanOrEqual(origins.length);
});

it("finds the only metadata key that allows objects", async () => {
  const service = observedMock({ metadata: { values: "scalars", objectKeys: ["_llm"] } });
  expect(rowOf(await observed("G-EVT-META", service), "metadata.objectKeys")).toMatchObject({ value: ["_llm"] });
});

it("a token that the service does not know is not a token of another organization", async () => {
  const service = observedMock();
  const tokens = [...service.options.tokens.slice(0, 3), { kind: "oat", token: "unknown" } as const];
  const report = await observed("G-FOREIGN", service, { tokens });
  expect(rowOf(report, "foreignEndpoint")?.reason).toBe("needs a token of another organization");
});

it.each([
  ["http://127.0.0.1", 10 * 1024 * 1024 - 1, "Too large"],
  ["https://remote.example", 1024 * 1024, "Too large"],
  ["https://remote.example", 10 * 1024 * 1024 - 2, "More than 10485758 bytes"],
])("at %s, finds a limit of bodies of %i bytes if a 413 says: %s", async (baseUrl, most, detail) => {
  const service = observedMock();
  const fetch: typeof globalThis.fetch = async (input, init) => {
    const { length } = String(init?.body ?? "");
    return length < 64 ? service.mock.fetch(input, init) : length > most ? respond(413, { detail }) : respond(422);
  };
  const report = await observed("G-BODY-MAX", service, { fetch, baseUrl });
  expect(rowOf(report, "maxBodyBytes")).toMatchObject({ value: most });
});

const RETRIES = { retryMinutes: 600, versions: [CURRENT], only: ["G-RETRY", "G-DISABLE"] };
const SLOW = { retry: { attempts: 3, firstDelay: 300_000, maxDelay: 3_600_000, jitter: 0 }, disableAfter: 3 };
const FAST = { retry: { attempts: 4, firstDelay: 4_000, jitter: 0 } };

/** Settings of retries, and those that a run finds. Only a disabled endpoint shows how many attempts there are. */
it.each([
  [{ ...FAST, disableAfter: 7 }, { retry: { attempts: 4 }, disableAfter: 7 }, {}],
  [SLOW, { retry: { attempts: 3 }, disableAfter: 3 }, {}],
  [SLOW, {}, { retryMinutes: 4 }],
  [{ ...FAST, disableAfter: 40 }, {}, {}],
  [{ ...FAST, disableAfter: null }, {}, {}],
])("finds the retries of %j", async (assumptions, choices, given) => {
  const report = await observe(observedMock(assumptions), { ...RETRIES, ...given });
  expect(report.choices).toEqual(choices);
  const unshown = {
    reason: expect.stringMatching(/^(25|1) failed events, with up to \d attempts each, did not disable/),
  };
  for (const name of ["retry.attempts", "disableAfter"])
    expect(rowOf(report, name)).toMatchObject("disableAfter" in choices ? { outcome: "observed" } : unshown);
});

it.each([4_000, 600_000])("finds disableAfter if the service shows %i ms later that it counted", async (delay) => {
  const service = observedMock({ ...FAST, disableAfter: 3 });
  const late = answers(READ, ({ body, mock }) => {
    if (mock.clock.now().getTime() - Date.parse(body.modified_at) < delay) body.enabled = true;
  });
  const report = await observe(service, { ...RETRIES, fetch: deviating(service.mock, late), only: ["G-DISABLE"] });
  expect(rowOf(report, "disableAfter")).toMatchObject({ value: 3 });
});

const broken =
  (deviation: Deviation) =>
  ({ mock }: ObservedMock) => ({ fetch: deviating(mock, deviation) });

/** Services at which attempts cannot be counted. */
const UNCOUNTED: Readonly<Record<string, (service: ObservedMock) => Partial<ConformanceOptions>>> = {
  "deliveries without webhook-id": (service) => ({
    receiver: received(service, (headers) => void headers.delete("webhook-id")),
  }),
  "\\d+ values of webhook-id for \\d+ events": (service) => ({
    receiver: received(service, (headers) => void headers.set("webhook-id", crypto.randomUUID())),
  }),
  "503": broken(rejects(READ, 503)),
  "the endpoint has no field `enabled`": broken(answers(READ, ({ body }) => delete body.enabled)),
  "an earlier endpoint could not be disabled": broken(rejects(UPDATE, 503)),
  "the trigger failed: the queue is closed": () => ({
    trigger: () => Promise.reject(new Error("the queue is closed")),
  }),
};

it.each(Object.entries(UNCOUNTED))("retries are not observable: %s", async (reason, given) => {
  const service = observedMock({ retry: { attempts: 3 }, disableAfter: 5 });
  const report = await observe(service, { ...RETRIES, only: ["DEL-3", ...RETRIES.only], ...given(service) });
  expect(report.choices).toEqual({});
  for (const name of ["retry.attempts", "disableAfter"])
    expect(rowOf(report, name)?.reason).toMatch(new RegExp(`^${reason}`));
});

it.each([
  ["trigger", "the trigger failed: it did not finish within 120 s"],
  ["sleep", "the sleep failed: it did not finish within 120.25 s"],
])("ends with an aborted run, or after two minutes, if a %s never ends", async (name, reason) => {
  const service = observedMock();
  const run = (called: () => void, signal?: AbortSignal) => {
    const never = () => new Promise<never>(called);
    return observe(service, { [name]: never, signal, versions: [CURRENT], only: ["DEL-3"] });
  };
  const end = new AbortController();
  expect(await run(() => setTimeout(() => end.abort()), end.signal)).toMatchObject({ aborted: true, leftEnabled: [] });
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const { rules } = await run(() => vi.advanceTimersByTime(120_250));
  expect(rules).toMatchObject([{ outcome: "not-observable", reason }]);
  expect(service.mock.webhookEndpoints.list().filter(({ enabled }) => enabled)).toEqual([]);
});

it("only reads a given endpoint, and checks its rules where none can be created", async () => {
  const service = observedMock({ endpointWrites: "absent" });
  const { id } = service.mock.webhookEndpoints.create();
  const given = { endpointId: id, allowWrites: false, receiver: undefined, versions: [CURRENT] };
  const report = await observe(service, { ...given, only: ["WHE-*", "GET-*", "G-UUID-FORM"] });
  const holding = report.rules.flatMap(({ id: rule, outcome }) => (outcome === "holds" ? rule : []));
  expect(holding.join(" ")).toBe("WHE-1 WHE-3 WHE-7 WHE-8 GET-1 GET-2 GET-3 GET-4 GET-5 G-UUID-FORM");
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

it("hides the id of a given endpoint, however it is written", async () => {
  const service = observedMock();
  const { id } = service.mock.webhookEndpoints.create();
  const deviation = requests(`GET /v1/webhooks/endpoints/${id.toUpperCase()}`, () => respond(404));
  const given = { endpointId: id.toUpperCase(), allowWrites: false, only: ["WHE-1", "GET-1", "G-UUID-FORM"] };
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

it("hides an organization whose id is a word only where it is a value", async () => {
  const deviation = answers(/./, ({ body }) => {
    for (const each of body.organizations ?? []) each.id = "organization";
    if (body.organization_id) body.organization_id = "organization";
  });
  const report = await reported(observedMock(), deviation, { only: ["AUT-4", "G-FOREIGN", "WHE-7", "G-EVT-ORG"] });
  expect(rowOf(report, "foreignEndpoint")?.reason).toBe("needs a token of another organization");
  expect(JSON.stringify(report)).not.toContain('\\"organization\\"');
});
