import { describe, expect, it } from "vitest";
import { openAdapter, problems, testedVersion } from "../support/adapter.ts";
import { usage } from "../support/samples.ts";

const INGEST = "POST /v1/events/ingest";

interface Item {
  readonly loc: unknown[];
  readonly msg: string;
  readonly ctx?: object;
}

function lastOf(body: unknown): Item | undefined {
  return (body as { detail: Item[] }).detail.at(-1);
}

const bad = (count: number) => ({ events: Array.from({ length: count }, () => usage({ name: 1 })) });

describe("the number of problems in a 422", () => {
  it.each([
    [100, "Input should be a valid string", undefined],
    [101, "1 more problem is not listed", { more_problems: 1 }],
    [140, "40 more problems are not listed", { more_problems: 40 }],
    [5_000, "at least 900 more problems are not listed; the rest was not checked", { more_problems_at_least: 900 }],
  ])("G-422-MAX: is the first 100 of %i, and the last one says how many more there are", async (count, note, ctx) => {
    const { mock, send } = await openAdapter();
    const answer = await send(INGEST, { json: bad(count) });
    expect(problems(answer)).toHaveLength(100);
    expect(lastOf(answer.body)).toEqual({
      loc: ["body", "events", 99, "name"],
      msg: expect.stringContaining(note),
      type: "string_type",
      input: 1,
      ...(ctx && { ctx }),
    });
    expect(mock.events.size).toBe(0);
  });

  it("G-422-MAX: is that of the assumption, also for limits and unknown fields", async () => {
    const { send } = await openAdapter({
      assumptions: { maxProblems: 2, metadata: { maxKeyLength: 1 }, unknownFields: "reject" },
    });
    const metadata = { aa: 1, bb: 1, cc: 1 };
    const limits = await send(INGEST, { json: { events: [usage({ metadata })] } });
    expect(problems(limits)).toHaveLength(2);
    expect(lastOf(limits.body)).toMatchObject({ ctx: { max_length: 1, more_problems: 1 } });
    const extra = await send(INGEST, { json: { events: [], ...metadata } });
    expect(problems(extra)).toEqual(["body.aa extra_forbidden", "body.bb extra_forbidden"]);
    const fields = { a: 1, b: 1, c: 1 };
    expect(problems(await send("POST /v1/webhooks/endpoints", { json: fields }))).toHaveLength(2);
  });

  it("G-422-MAX: is smaller if the names in loc are long", async () => {
    const { send } = await openAdapter();
    const long = "k".repeat(600_000);
    const inner = Array.from({ length: 50 }, () => '{"__proto__":1}').join(",");
    const body = `{"events":[{"name":"a","external_customer_id":"b","metadata":{"${long}":[${inner}]}}]}`;
    const answer = await send(INGEST, { body });
    expect(problems(answer)).toHaveLength(2);
    expect(lastOf(answer.body)?.msg).toContain("the rest was not checked");
  });
});

describe("the input of a problem in a 422", () => {
  it.each<[what: string, name: unknown, isShown: boolean]>([
    ["shown: a string of 1,000 characters of JSON", "x".repeat(998), true],
    ["shown: a list", Array(499).fill(1), true],
    ["shown: an object", { a: "x".repeat(992) }, true],
    ["left out: a longer string", "x".repeat(999), false],
    ["left out: a string with escapes", '"'.repeat(500), false],
    ["left out: a longer list", Array(501).fill(1), false],
    ["left out: an object with a long name", { ["x".repeat(1_000)]: 1 }, false],
    ["left out: an object with a long value", { a: { b: ["x".repeat(1_000)] } }, false],
    ["left out: a string of 9 MB", "x".repeat(9_000_000), false],
  ])("G-422-INPUT: is %s", async (_, name, isShown) => {
    const { send } = await openAdapter({ assumptions: { eventName: { maxLength: 128 } } });
    const { status, body } = await send(INGEST, { json: { events: [usage({ name })] } });
    const problem = { loc: ["body", "events", 0, "name"], ...(isShown && { input: name }) };
    expect({ status, body }).toMatchObject({ status: 422, body: { detail: [problem] } });
    expect(Object.hasOwn(lastOf(body) ?? {}, "input")).toBe(isShown);
  });
});

describe("the number of names and values in a body", () => {
  it.each([
    ["an escaped quote", 'a"'],
    ["a backslash at the end", "a\\"],
    ["a backslash and a quote", '\\"'],
    ["nothing", ""],
    ["other characters of JSON", "{[:,]}".repeat(50)],
  ])("G-VALUES: may be 400,000, also with %s in a string; more return 413", async (_, text) => {
    const { send } = await openAdapter();
    // The body, its three names and their colons come to seven.
    const body = (count: number) => `{"text":${JSON.stringify(text)},"events":[],"more":[${"1,".repeat(count)}1]}`;
    expect((await send(INGEST, { body: body(399_992) })).status).toBe(200);
    const rejected = await send(INGEST, { body: body(399_993) });
    const detail = "The body has more than 400000 names and values.";
    expect(rejected).toMatchObject({ status: 413, body: { error: "RequestBodyTooLarge", detail } });
    expect(rejected.headers.get("service-version")).toBe(testedVersion);
  });
});
