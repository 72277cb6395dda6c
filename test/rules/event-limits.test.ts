import { describe, expect, it } from "vitest";
import { strict } from "../../mock/index.ts";
import { openAdapter, problems } from "../support/adapter.ts";
import { usage } from "../support/samples.ts";

const INGEST = "POST /v1/events/ingest";
const TIME = "body.events.0.timestamp";
const META = "body.events.0.metadata";

function pairs(count: number): Record<string, number> {
  return Object.fromEntries(Array.from({ length: count }, (_, i) => [`key-${i}`, i]));
}

describe("the timestamp of an event", () => {
  it.each([
    "2025-01-02T03:04:05Z",
    "2025-01-02T03:04:05.123456789Z",
    "2025-01-02T03:04:05+14:00",
    "2025-01-02T03:04:05-00:30",
    "2024-02-29T23:59:59Z",
    "2999-12-31T00:00:00Z",
  ])("G-EVT-TIME, EVT-2: may be %s, and is stored as sent", async (timestamp) => {
    const { mock, client } = await openAdapter();
    await client().events.ingest([usage({ timestamp })]);
    expect(mock.events.list()).toMatchObject([{ timestamp }]);
  });

  it.each([
    ["2025-01-02T03:04:05.123", "timezone_aware"],
    ["2025-01-02", "datetime_parsing"],
    ["2025-01-02 03:04:05Z", "datetime_parsing"],
    ["2016-12-31T23:59:60Z", "datetime_parsing"],
    ["2025-02-29T00:00:00Z", "datetime_parsing"],
    ["2025-01-02T03:04:05+0100", "datetime_parsing"],
    ["", "datetime_parsing"],
    [1735787045, "string_type"],
  ])("G-EVT-TIME, ING-5: returns 422 for %j, with type %s", async (timestamp, type) => {
    const { mock, send } = await openAdapter();
    const json = { events: [usage({ timestamp })] };
    expect(problems(await send(INGEST, { json }))).toEqual([`${TIME} ${type}`]);
    expect(mock.events.size).toBe(0);
  });
});

describe("the metadata of an event", () => {
  it("EVT-2, G-EVT-META: may be any JSON, however nested and large", async () => {
    const { mock, client } = await openAdapter();
    const nested = { list: [1, "two", null, [false], { deep: { deeper: {} } }], none: null, empty: "", "": 1 };
    const large = { ["k".repeat(41)]: "v".repeat(501), ...pairs(51) };
    await client().events.ingest([usage({ metadata: nested }), usage({ metadata: large })]);
    expect(mock.events.list()).toMatchObject([{ metadata: nested }, { metadata: large }]);
  });

  it.each([
    ["51 pairs", pairs(51), `${META} too_long`],
    ["an empty key", { "": 1 }, `${META}. string_too_short`],
    ["a key of 41 characters", { ["k".repeat(41)]: 1 }, `${META}.${"k".repeat(41)} string_too_long`],
    ["an empty value", { a: "" }, `${META}.a string_too_short`],
    ["a value of 501 characters", { a: "v".repeat(501) }, `${META}.a string_too_long`],
    ["a list", { a: [1] }, `${META}.a string_type`],
    ["an object", { a: {} }, `${META}.a string_type`],
    ["a list under a reserved key", { _cost: [1] }, `${META}._cost string_type`],
  ])("G-EVT-META, ING-5: returns 422 for %s from a strict mock", async (_what, metadata, problem) => {
    const { mock, send } = await openAdapter({ assumptions: { metadata: strict.metadata } });
    const json = { events: [usage({ metadata })] };
    expect(problems(await send(INGEST, { json }))).toEqual([problem]);
    expect(mock.events.size).toBe(0);
  });

  it("G-EVT-META: the minimum length of a value counts characters, not UTF-16 code units", async () => {
    const { send } = await openAdapter({ assumptions: { metadata: { minValueLength: 2 } } });
    const json = { events: [usage({ metadata: { one: "🌍", two: "🌍🌍" } })] };
    expect(problems(await send(INGEST, { json }))).toEqual([`${META}.one string_too_short`]);
  });
});

describe("the size of a batch", () => {
  it("G-EVT-MAX: is limited to 10,000 events", async () => {
    const { mock, send } = await openAdapter();
    const events = Array.from({ length: 10_001 }, () => usage());
    const answer = await send(INGEST, { json: { events } });
    expect(problems(answer)).toEqual(["body.events too_long"]);
    expect(mock.events.size).toBe(0);
    const most = await send(INGEST, { json: { events: events.slice(1) } });
    expect(most).toMatchObject({ status: 200, body: { inserted: 10_000, duplicates: 0 } });
  });
});
