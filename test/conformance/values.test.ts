import { expect, it, onTestFinished, vi } from "vitest";
import { type ConformanceOptions, type ConformanceReport, planConformance } from "../../conformance/index.ts";
import { createMock } from "../../mock/index.ts";
import { type Deviation, deviating, type Exchange } from "./deviating.ts";
import { type ObservedMock, observe, observedMock } from "./observed-mock.ts";

const INGEST = "POST /v1/events/ingest";
const LOOKUP = "GET /v1/oauth2/authorize";
const customerId = "6f1c0a52-3b0d-4c55-9d0e-0a4d1e6f7b21";

const status = (code: number) =>
  Response.json({ error: "Rejected" }, { status: code, headers: { "service-version": "2025-01" } });
const eventOf = ({ line, body }: Exchange) => (line === INGEST ? body?.events?.[0] : undefined);

/** Observes an assumption of a mock with a deviation. */
async function observed(id: string, deviation: Deviation, given: Partial<ConformanceOptions> = {}) {
  const service = observedMock();
  const fetch = deviating(service.mock, deviation);
  return observe(service, { fetch, receiver: undefined, versions: ["2025-01"], only: [id], ...given });
}

const rowOf = ({ assumptions }: ConformanceReport, name: string) => assumptions.find((row) => row.name === name);

/** The requests of settings with two values. */
const REQUESTS: readonly (readonly [id: string, name: string, isAsked: (sent: Exchange) => unknown, code: number])[] = [
  ["G-EVT-CUST", "unknownCustomers", (sent) => eventOf(sent) && eventOf(sent).customer_id !== customerId, 404],
  ["G-EVT-BOTH", "bothCustomerIds", (sent) => eventOf(sent)?.customer_id && eventOf(sent).external_customer_id, 400],
  ["G-EVT-EXT", "externalCustomers", (sent) => eventOf(sent)?.external_customer_id, 404],
  ["G-EVT-TIME", "futureEvents", (sent) => eventOf(sent)?.timestamp?.startsWith("2999"), 400],
  [
    "G-CONTENT-TYPE",
    "otherContentTypes",
    ({ line, headers }) => line === INGEST && headers.get("content-type") === "text/plain",
    415,
  ],
  ["G-AUT-QUERY", "authorizeQuery.unknownClient", ({ line, search }) => line === LOOKUP && search !== "", 404],
];

it.each(REQUESTS)("%s: %s is reject for a 4xx, and not observable for a 502", async (id, name, isAsked, code) => {
  const rejecting = (chosen: number) => ({
    request: (sent: Exchange) => (isAsked(sent) ? status(chosen) : undefined),
  });
  const rejected = await observed(id, rejecting(code), { customerId });
  expect(rowOf(rejected, name)).toMatchObject({ outcome: "observed", value: "reject" });
  const failed = await observed(id, rejecting(502), { customerId });
  expect(rowOf(failed, name)).toMatchObject({ outcome: "not-observable", reason: expect.stringMatching(/^502/) });
});

/** Access-Control-Allow-Origin of the service, and the value. */
const ORIGINS: readonly (readonly [allowed: string, value: unknown])[] = [
  ["*", "*"],
  ["https://conformance.invalid", "*"],
  ["https://app.example", ["https://app.example"]],
  ["null", undefined],
];

it.each(ORIGINS)("cors of a service that always allows %s", async (allowed, value) => {
  const report = await observed("G-CORS", {
    response: ({ headers }) => headers.set("access-control-allow-origin", allowed),
  });
  const evidence = expect.stringContaining(
    allowed === "https://conformance.invalid" ? "the request's origin" : allowed,
  );
  const found = value === undefined ? { outcome: "not-observable" } : { value, evidence };
  expect(rowOf(report, "cors")).toMatchObject(found);
  expect(() => createMock({ assumptions: report.choices })).not.toThrow();
});

it("only reads a given endpoint, and checks its rules where none can be created", async () => {
  const service = observedMock({ endpointWrites: "absent" });
  const { id } = service.mock.webhookEndpoints.create();
  const given = { endpointId: id, allowWrites: false, receiver: undefined, versions: ["2025-01"] };
  const report = await observe(service, { ...given, only: ["WHE-*", "GET-*", "G-UUID-FORM"] });
  const holding = report.rules.flatMap(({ id: rule, outcome }) => (outcome === "holds" ? rule : []));
  expect(holding).toEqual([
    "WHE-1",
    "WHE-3",
    "WHE-7",
    "WHE-8",
    "GET-1",
    "GET-2",
    "GET-3",
    "GET-4",
    "GET-5",
    "G-UUID-FORM",
  ]);
  expect(service.mock.requests.list().filter(({ method }) => method !== "GET")).toEqual([]);
  const broken = deviating(service.mock, { response: ({ body }) => void (body?.id && Object.assign(body, { id })) });
  const only = ["WHE-1", "GET-1", "G-UUID-FORM"];
  const unknown = await observe(service, { ...given, fetch: broken, endpointId: customerId, only });
  const row = { outcome: "not-observable", reason: expect.stringContaining("`endpointId`: 404") };
  expect(unknown.rules).toMatchObject([row, row, row]);
});

it("hides the id of a given endpoint, however it is written", async () => {
  const service = observedMock();
  const { id } = service.mock.webhookEndpoints.create();
  const fetch = deviating(service.mock, {
    request: ({ line }) => (line === `GET /v1/webhooks/endpoints/${id.toUpperCase()}` ? status(404) : undefined),
  });
  const given = { endpointId: id.toUpperCase(), allowWrites: false, versions: ["2025-01"], fetch };
  const report = await observe(service, { ...given, only: ["WHE-1", "GET-1", "G-UUID-FORM"] });
  expect(report.rules.map(({ outcome }) => outcome)).toEqual(["holds", "holds", "fails"]);
  expect(JSON.stringify(report).toLowerCase()).not.toContain(id.toLowerCase());
});

it("reports the observed retries, and waits no longer than allowed", async () => {
  const service = observedMock({ retry: { attempts: 4, firstDelayMs: 4_000, jitter: 0 }, disableAfter: 7 });
  const report = await observe(service, { retryMinutes: 60, versions: ["2025-01"], only: ["G-RETRY", "G-DISABLE"] });
  expect(report.choices).toEqual({ retry: { attempts: 4 }, disableAfter: 7 });
  expect(rowOf(report, "retry.firstDelayMs")?.reason).toMatch(/at first up to [34]\.\d s, later up to 1[567]\.\d s/);
  const brief = await observe(observedMock(), { retryMinutes: 1, versions: ["2025-01"], only: ["G-DISABLE"] });
  expect(rowOf(brief, "disableAfter")?.reason).toMatch(/^at least [3-6] attempts: others may follow after the 1 min/);
});

const RETRIES = { retryMinutes: 600, versions: ["2025-01"], only: ["G-RETRY", "G-DISABLE"] };

const SLOW = { attempts: 3, firstDelayMs: 300_000, maxDelayMs: 3_600_000, jitter: 0 };

it("waits minutes for a first retry, and reports no value without one", async () => {
  const found = await observe(observedMock({ retry: SLOW, disableAfter: 3 }), RETRIES);
  expect(found.choices).toEqual({ retry: { attempts: 3 }, disableAfter: 3 });
  const brief = await observe(observedMock({ retry: SLOW, disableAfter: 3 }), { ...RETRIES, retryMinutes: 4 });
  expect(brief.choices).toEqual({});
  for (const name of ["retry.attempts", "disableAfter"]) expect(rowOf(brief, name)?.reason).toMatch(/no retry arrived/);
});

/** Returns a service that sends its events with delays between attempts, which grow fast. */
function scheduled(delays: readonly number[]): Partial<ConformanceOptions> {
  let time = 0;
  let deliver = async (_request: Request): Promise<unknown> => undefined;
  const due: { readonly at: number; readonly id: string }[] = [];
  return {
    sleep: async (milliseconds) => {
      const end = time + milliseconds;
      for (const { id } of due.filter(({ at }) => at > time && at <= end).sort((one, two) => one.at - two.at))
        await deliver(new Request("https://receiver.example/", { method: "POST", headers: { "webhook-id": id } }));
      time = end;
    },
    receiver: {
      url: "https://receiver.example/",
      receive: (handler) => {
        deliver = handler;
        due.length = 0;
        return () => undefined;
      },
    },
    trigger: () => {
      const id = crypto.randomUUID();
      let at = time + 1;
      for (const delay of [0, ...delays]) {
        at += delay;
        due.push({ at, id });
      }
    },
  };
}

it("reports the number of attempts only if none arrived for a long time before `retryMinutes` ended", async () => {
  const service = () => ({ ...RETRIES, ...scheduled([5_000, 300_000, 1_800_000, 7_200_000, 18_000_000]) });
  const all = await observe(observedMock(), { ...service(), retryMinutes: 14_400 });
  expect(rowOf(all, "retry.attempts")).toMatchObject({ value: 6 });
  expect(rowOf(all, "disableAfter")).toMatchObject({ value: null });
  const some = await observe(observedMock(), { ...service(), retryMinutes: 240 });
  expect(rowOf(some, "retry.attempts")?.reason).toBe(
    "at least 5 attempts: others may follow after the 240 min of `retryMinutes`",
  );
});

/** Changes the headers of deliveries. */
function changing({ options }: ObservedMock, change: (headers: Headers) => void): ConformanceOptions["receiver"] {
  const { url = "", receive } = options.receiver ?? {};
  return {
    url,
    receive: (handler) =>
      receive?.(async (request) => {
        const headers = new Headers(request.headers);
        change(headers);
        return handler(new Request(request.url, { method: "POST", headers, body: await request.text() }));
      }) as () => void,
  };
}

/** Services at which attempts cannot be counted. */
const UNCOUNTED: readonly (readonly [
  what: string,
  reason: RegExp,
  given: (service: ObservedMock) => Partial<ConformanceOptions>,
])[] = [
  [
    "has no webhook-id",
    /^deliveries without webhook-id/,
    (service) => ({ receiver: changing(service, (headers) => headers.delete("webhook-id")) }),
  ],
  [
    "has a new webhook-id in each attempt",
    /^\d+ values of webhook-id for \d+ events \(G-RETRY\)/,
    (service) => ({ receiver: changing(service, (headers) => headers.set("webhook-id", crypto.randomUUID())) }),
  ],
  [
    "cannot read its endpoint",
    /^503/,
    ({ mock }) => ({
      fetch: deviating(mock, { request: ({ line }) => unlessOk(line.startsWith("GET /v1/webhooks")) }),
    }),
  ],
  [
    "has endpoints without enabled",
    /^the endpoint has no field `enabled`/,
    ({ mock }) => ({
      fetch: deviating(mock, { response: ({ line, body }) => void (line.startsWith("GET") && delete body?.enabled) }),
    }),
  ],
  [
    "cannot disable an earlier endpoint",
    /^an earlier endpoint could not be disabled/,
    ({ mock }) => ({ fetch: deviating(mock, { request: ({ line }) => unlessOk(line.startsWith("PATCH")) }) }),
  ],
];

const unlessOk = (fails: boolean) => (fails ? status(503) : undefined);

it.each(UNCOUNTED)("retries are not observable if a service %s", async (_what, reason, given) => {
  const service = observedMock({ retry: { attempts: 3 }, disableAfter: 5 });
  const report = await observe(service, { ...RETRIES, only: ["DEL-3", ...RETRIES.only], ...given(service) });
  expect(report.choices).toEqual({});
  for (const name of ["retry.attempts", "disableAfter"])
    expect(rowOf(report, name)).toMatchObject({ outcome: "not-observable", reason: expect.stringMatching(reason) });
});

it("ends with an aborted run, or after two minutes, if a trigger never ends", async () => {
  const given = { trigger: () => new Promise(() => {}), versions: ["2025-01"], only: ["DEL-3"] };
  const service = observedMock();
  const end = new AbortController();
  const aborting = () => {
    setTimeout(() => end.abort());
    return given.trigger();
  };
  const aborted = await observe(service, { ...given, trigger: aborting, signal: end.signal });
  expect(aborted).toMatchObject({ aborted: true, leftEnabled: [] });
  expect(service.mock.webhookEndpoints.list().filter(({ enabled }) => enabled)).toEqual([]);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const triggered = Promise.withResolvers<void>();
  const trigger = () => {
    triggered.resolve();
    return given.trigger();
  };
  const running = observe(service, { ...given, trigger });
  await triggered.promise;
  await vi.advanceTimersByTimeAsync(120_000);
  const reason = "the trigger failed: it did not finish within 120 s";
  expect((await running).rules).toMatchObject([{ outcome: "not-observable", reason }]);
});

it("hides an organization whose id is a word only where it is a value", async () => {
  const organization = "organization";
  const service = observedMock();
  const response = ({ body }: Exchange) => {
    for (const each of body?.organizations ?? []) each.id = organization;
    if (body?.organization_id) body.organization_id = organization;
  };
  const fetch = deviating(service.mock, { response });
  const only = ["AUT-4", "G-FOREIGN", "WHE-7", "G-EVT-ORG"];
  const report = await observe(service, { fetch, receiver: undefined, versions: ["2025-01"], only });
  expect(rowOf(report, "foreignEndpoint")?.reason).toBe("needs a token of another organization");
  expect(JSON.stringify(report)).not.toContain(`\\"${organization}\\"`);
});

it("unsupportedApiVersionStatus is not observable when the version is accepted", async () => {
  const report = await observed("G-WHE-VER", {
    request: ({ body }) => void (body?.api_version === "1999-01" && delete body.api_version),
  });
  expect(rowOf(report, "unsupportedApiVersionStatus")).toMatchObject({ reason: expect.stringContaining("ERR-4") });
  expect(report.choices).toEqual({});
});

it("a Retry-After of less than a second is a window of one second", async () => {
  const count = { requests: 0 };
  const request = () => {
    count.requests += 1;
    if (count.requests % 40 > 0) return undefined;
    return new Response(null, { status: 429, headers: { "retry-after": "0.5" } });
  };
  const report = await observed("G-RATE", { request });
  expect(rowOf(report, "rateLimit")).toMatchObject({ value: { requests: 39, windowSeconds: 1 } });
  expect(() => createMock({ assumptions: report.choices })).not.toThrow();
});

it("organizationField is not observable for a 422 that names another field", async () => {
  const problem = { loc: ["string"], msg: "string", type: "string" };
  const request = (sent: Exchange) =>
    eventOf(sent)?.organization_id
      ? Response.json({ detail: [problem] }, { status: 422, headers: { "service-version": "2025-01" } })
      : undefined;
  const report = await observed("G-EVT-ORG", { request });
  expect(rowOf(report, "organizationField.oat")).toMatchObject({
    reason: expect.stringContaining("422 string at string"),
  });
});

it("metadata.objectKeys is not observable for a key whose objects have a shape", async () => {
  const loc = ["body", "events", 0, "metadata", "_cost", "amount"];
  const request = (sent: Exchange) =>
    typeof eventOf(sent)?.metadata?._cost === "object"
      ? Response.json({ detail: [{ loc, msg: "Field required", type: "missing" }] }, { status: 422 })
      : undefined;
  const service = observedMock({ metadata: { values: "scalars" } });
  const fetch = deviating(service.mock, { request });
  const report = await observe(service, { fetch, versions: ["2025-01"], only: ["G-EVT-META"] });
  expect(rowOf(report, "metadata.objectKeys")?.reason).toContain("422 missing at body.events.0.metadata");
});

it("cors is not observable for a 503, and all given origins are tried", async () => {
  const fails = (sent: Exchange) => unlessOk(sent.headers.has("origin"));
  const failed = await observed("G-CORS", { request: fails }, { origins: ["https://app.example"] });
  expect(rowOf(failed, "cors")).toMatchObject({ outcome: "not-observable", reason: expect.stringMatching(/^503/) });
  const origins = Array.from({ length: 100 }, (_, index) => `https://app-${index}.example`);
  const service = observedMock({ cors: origins.slice(-1) });
  const given = { versions: ["2025-01"], only: ["G-CORS"], origins };
  const report = await observe(service, given);
  expect(rowOf(report, "cors")).toMatchObject({ value: origins.slice(-1) });
  expect(report.requests).toBeLessThanOrEqual(planConformance({ ...service.options, ...given }).requests);
});
