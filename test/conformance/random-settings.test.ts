import fc from "fast-check";
import { expect, it } from "vitest";
import type { ConformanceReport } from "../../conformance/report.ts";
import { connectMock } from "../../mock/connect.ts";
import { type AssumptionChoices, createMock } from "../../mock/index.ts";
import { holds, patient } from "../fuzz/parameters.ts";
import { CURRENT } from "../support/versions.ts";
import { HIDDEN, observe, observedMock, observedServer, optionsOf } from "./observed-mock.ts";

const { constantFrom: one, integer, option, record, subarray } = fc;
const acceptOrReject = one("accept", "reject");
const presence = one("optional", "required", "forbidden");

const KNOWN = { versions: [CURRENT] };

/** Settings of every assumption. */
const settings: fc.Arbitrary<AssumptionChoices> = record(
  {
    maxBodyBytes: one(1, 2, 5, 10).map((mebibytes) => mebibytes * 1024 * 1024),
    rateLimit: option(
      record({ requests: integer({ min: 30, max: 900 }), windowSeconds: integer({ min: 1, max: 200 }) }),
    ),
    cors: one<"*" | []>("*", []),
    nullFields: acceptOrReject,
    unstorableText: acceptOrReject,
    unknownFields: one("ignore", "reject"),
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
    foreignEndpoint: one("not-found", "forbidden"),
    endpointUrl: record({
      protocols: subarray(["https:", "http:"], { minLength: 1 }),
      credentials: acceptOrReject,
      hosts: one("any", "public"),
      maxLength: option(integer({ min: 200, max: 9_000 })),
      stored: one("sent", "normalized"),
    }),
  },
  { requiredKeys: [] },
) as fc.Arbitrary<AssumptionChoices>;

/** A minimum and a maximum, which may be missing. */
function range(least: number, middle: number, most: number) {
  return fc.tuple(integer({ min: least, max: middle }), option(integer({ min: middle, max: most })));
}

/** Reasons that follow from another setting, or from a limit that is not reached. */
const REASONS: Readonly<Record<string, RegExp>> = {
  "metadata.maxPairs": /at least 1000/,
  maxBatchSize: /duplicates are stored/,
  nullFields: /every optional field/,
};

/** Reasons that may stop the observation of any assumption. */
const ANY_REASON = /no accepted|too large|no endpoint/;
/** The reason for a limit above the longest string that is tried. */
const UNLIMITED = /at least 100000/;

function expectFound(report: ConformanceReport, choices: AssumptionChoices): void {
  const all: object = createMock({ assumptions: choices }).assumptions;
  for (const { name, outcome, value, reason = "" } of report.assumptions.filter((row) => !HIDDEN.test(row.name))) {
    const set = name.split(".").reduce<unknown>((at, field) => (at as Record<string, unknown>)[field], all);
    const own = REASONS[name] ?? REASONS[name.replace(/\..*/, "")];
    const reasons = [ANY_REASON, ...(own ? [own] : []), ...(set === null ? [UNLIMITED] : [])];
    if (outcome === "observed") expect(value, name).toEqual(set);
    else expect(`${name}: ${reason}`).toMatch(new RegExp(reasons.map(({ source }) => source).join("|")));
  }
  expect(report.rules.filter((rule) => rule.outcome === "fails")).toEqual([]);
  expect(report.leftEnabled).toEqual([]);
}

it("finds every setting of a mock in process", patient, async () => {
  await holds(5, settings, async (each) => expectFound(await observe(observedMock(each), KNOWN), each));
});

it("finds every setting that the control API was given, over a socket", patient, async () => {
  const { mock, options } = await observedServer();
  await holds(1, settings, async (choices) => {
    await connectMock(String(options.baseUrl)).setAssumptions(choices);
    expectFound(await observe({ mock, options: { ...options, ...optionsOf(mock) } }, KNOWN), choices);
  });
});
