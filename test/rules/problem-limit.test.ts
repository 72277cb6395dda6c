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
  it("G-422-MAX: is at most 100, without a count of further problems", async () => {
    const { send } = await openAdapter();
    const answer = await send(INGEST, { json: bad(100) });
    expect(problems(answer)).toHaveLength(100);
    expect(lastOf(answer.body)).toEqual({
      loc: ["body", "events", 99, "name"],
      msg: "Input should be a valid string",
      type: "string_type",
      input: 1,
    });
  });

  it.each([
    [101, "1 more problem is not listed", { more_problems: 1 }],
    [140, "40 more problems are not listed", { more_problems: 40 }],
    [5_000, "at least 900 more problems are not listed; the rest was not checked", { more_problems_at_least: 900 }],
  ])("G-422-MAX: is the first 100 of %i, and the last one says how many more there are", async (count, note, ctx) => {
    const { mock, send } = await openAdapter();
    const answer = await send(INGEST, { json: bad(count) });
    expect(problems(answer)).toHaveLength(100);
    expect(lastOf(answer.body)).toMatchObject({
      loc: ["body", "events", 99, "name"],
      msg: expect.stringContaining(note),
      ctx,
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

describe("the number of names and values in a body", () => {
  it("G-VALUES: may be 400,000; more return 413", async () => {
    const { send } = await openAdapter();
    // The body, its two names and their colons come to five.
    const body = (count: number) => `{"events":[],"more":[${"1,".repeat(count)}1]}`;
    expect((await send(INGEST, { body: body(399_994) })).status).toBe(200);
    const rejected = await send(INGEST, { body: body(399_995) });
    const detail = "The body has more than 400000 names and values.";
    expect(rejected).toMatchObject({ status: 413, body: { error: "RequestBodyTooLarge", detail } });
    expect(rejected.headers.get("service-version")).toBe(testedVersion);
  });

  it.each([
    ["an escaped quote", 'a"'],
    ["a backslash at the end", "a\\"],
    ["a backslash and a quote", '\\"'],
    ["nothing", ""],
    ["other characters of JSON", "{[:,]}".repeat(50)],
  ])("G-VALUES: ends a string with %s at the right quote", async (_, text) => {
    const { send } = await openAdapter();
    const body = (count: number) => `{"text":${JSON.stringify(text)},"events":[],"more":[${"1,".repeat(count)}1]}`;
    expect((await send(INGEST, { body: body(399_992) })).status).toBe(200);
    expect((await send(INGEST, { body: body(399_993) })).status).toBe(413);
  });
});
