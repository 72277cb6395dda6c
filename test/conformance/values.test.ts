import { expect, it } from "vitest";
import type { ConformanceOptions, ConformanceReport } from "../../conformance/index.ts";
import { createMock } from "../../mock/index.ts";
import { type Deviation, deviating, type Exchange } from "./deviating.ts";
import { observe, observedMock } from "./observed-mock.ts";

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
  const evidence = expect.stringContaining(allowed === "https://conformance.invalid" ? "of the request" : allowed);
  const found = value === undefined ? { outcome: "not-observable" } : { value, evidence };
  expect(rowOf(report, "cors")).toMatchObject(found);
  expect(() => createMock({ assumptions: report.choices })).not.toThrow();
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
