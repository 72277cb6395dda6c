import fc from "fast-check";
import { expect, it } from "vitest";
import type { ConformanceReport } from "../../conformance/index.ts";
import { connectMock } from "../../mock/connect.ts";
import { type AssumptionChoices, createMock, defaultAssumptions } from "../../mock/index.ts";
import { holds, patient } from "../fuzz/parameters.ts";
import { CURRENT } from "../support/versions.ts";
import { observe, observedMock, observedServer, optionsOf } from "./observed-mock.ts";

const { constantFrom: one, integer, option, record, subarray } = fc;
const acceptOrReject = one("accept", "reject");
const variant = one("user", "organization");
const presence = one("optional", "required", "forbidden");

/** The facts that the run's caller knows about the service. */
const ORIGINS = ["https://app.example", "http://localhost:5173", "https://shop.example"];
const KNOWN = { origins: ORIGINS, retryMinutes: 14_400, versions: [CURRENT] };

/** Settings of every assumption. */
const settings: fc.Arbitrary<AssumptionChoices> = record(
  {
    maxBodyBytes: integer({ min: 20_000, max: 10 * 1024 * 1024 }),
    rateLimit: option(
      record({ requests: integer({ min: 30, max: 900 }), windowSeconds: integer({ min: 1, max: 200 }) }),
    ),
    cors: fc.oneof(one<"*">("*"), subarray([...ORIGINS])),
    nullFields: acceptOrReject,
    unstorableText: acceptOrReject,
    unknownFields: one("ignore", "reject"),
    otherContentTypes: acceptOrReject,
    emptyBodies: acceptOrReject,
    organizationField: record({ oidc: presence, pat: presence, oat: presence }),
    requiredEventFields: subarray(["timestamp", "external_id", "parent_id", "member_id", "metadata"]),
    uuidEventFields: subarray(["external_id", "parent_id", "member_id"]),
    eventName: range(0, 60, 90_000).map(([minLength, maxLength]) => ({ minLength, maxLength })),
    futureEvents: acceptOrReject,
    metadata: fc
      .tuple(
        range(0, 30, 2_000),
        range(0, 30, 90_000),
        option(integer({ min: 1, max: 900 })),
        one("any", "scalars"),
        subarray(["_cost", "_llm"]),
      )
      .map(([[minKeyLength, maxKeyLength], [minValueLength, maxValueLength], maxPairs, values, objectKeys]) => {
        return { minKeyLength, maxKeyLength, minValueLength, maxValueLength, maxPairs, values, objectKeys };
      }),
    unknownCustomers: acceptOrReject,
    duplicateEvents: one("skip", "store"),
    maxBatchSize: integer({ min: 2, max: 19_000 }),
    authorizeVariant: record({ oidc: variant, pat: variant, oat: variant }),
    products: record({ defaultLimit: integer({ min: 1, max: 60 }), maxLimit: integer({ min: 60, max: 110 }) }),
    endpointWrites: fc.oneof({ weight: 5, arbitrary: one("served") }, { weight: 1, arbitrary: one("absent") }),
    foreignEndpoint: one("not-found", "forbidden"),
    endpointUrl: record({
      protocols: subarray(["https:", "http:"], { minLength: 1 }),
      credentials: acceptOrReject,
      hosts: one("any", "public"),
      maxLength: option(integer({ min: 200, max: 9_000 })),
      stored: one("sent", "normalized"),
    }),
    baseUrls: one(defaultAssumptions.baseUrls),
    deliverTo: subarray(["staging.example.com"]),
    retry: record(
      {
        attempts: integer({ min: 1, max: 12 }),
        timeout: integer({ min: 2_000, max: 60_000 }),
        firstDelay: integer({ min: 0, max: 30_000 }),
        maxDelay: integer({ min: 0, max: 3_600_000 }),
        jitter: fc.double({ min: 0, max: 1, noNaN: true }),
      },
      { requiredKeys: [] },
    ),
    disableAfter: option(integer({ min: 1, max: 24 })),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<AssumptionChoices>;

/** A minimum and a maximum, which may be missing. */
function range(least: number, middle: number, most: number) {
  return fc.tuple(integer({ min: least, max: middle }), option(integer({ min: middle, max: most })));
}

/** Reasons that follow from another setting, or from a limit that is not reached. */
const REASONS: Readonly<Record<string, RegExp>> = {
  baseUrls: /do not name/,
  deliverTo: /only to the mock/,
  minSecretLength: /that signs deliveries/,
  disableAfter: /no delivery|did not disable/,
  rateLimit: /burst of requests/,
  retry: /did not disable|network delay|no retry arrived/,
  "metadata.objectKeys": /under any key|unclear/,
  "metadata.maxPairs": /at least 1000/,
  maxBatchSize: /duplicates are stored/,
  nullFields: /every optional field/,
};

/** Reasons that may stop the observation of any assumption. */
const ANY_REASON = /no accepted|too large|no endpoint|not be disabled/;
/** The reason for a limit above the longest string that is tried. */
const UNLIMITED = /at least 100000/;

function expectFound(report: ConformanceReport, choices: AssumptionChoices): void {
  const all: object = createMock({ assumptions: choices }).assumptions;
  for (const { name, outcome, value, reason = "" } of report.assumptions) {
    const set = name.split(".").reduce<unknown>((at, field) => (at as Record<string, unknown>)[field], all);
    const own = REASONS[name] ?? REASONS[name.replace(/\..*/, "")];
    const reasons = [ANY_REASON, ...(own ? [own] : []), ...(set === null ? [UNLIMITED] : [])];
    // Keys of a length that is rejected are unclear.
    if (name === "metadata.objectKeys" && outcome === "observed")
      expect(set).toEqual(expect.arrayContaining(value as []));
    else if (outcome === "observed") expect(value, name).toEqual(set);
    else expect(`${name}: ${reason}`).toMatch(new RegExp(reasons.map(({ source }) => source).join("|")));
  }
  expect(report.rules.filter((rule) => rule.outcome === "fails")).toEqual([]);
  expect(report.leftEnabled).toEqual([]);
}

it("finds every setting of a mock in process", patient, async () => {
  await holds(5, settings, async (choices) => expectFound(await observe(observedMock(choices), KNOWN), choices));
});

it("finds every setting that the control API was given, over a socket", patient, async () => {
  const { mock, options } = await observedServer();
  await holds(1, settings, async (choices) => {
    await connectMock(String(options.baseUrl)).setAssumptions(choices);
    expectFound(await observe({ mock, options: { ...options, ...optionsOf(mock) } }, KNOWN), choices);
  });
});
