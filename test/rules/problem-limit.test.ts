import { describe, expect, it } from "vitest";
import { openAdapter, problems } from "../support/adapter.ts";
import { usage } from "../support/samples.ts";

function lastOf(body: unknown) {
  return (body as { detail: { msg: string }[] }).detail.at(-1);
}

describe("the number of problems in a 422", () => {
  it.each([
    [99, "Input should be a valid string"],
    [101, "Input should be a valid string (there may be more; the rest was not checked)"],
    [5_000, "Input should be a valid string (there may be more; the rest was not checked)"],
  ])("G-422-MAX: is the first 100 of %i, and the last one says that the rest was not checked", async (count, msg) => {
    const { ingest } = await openAdapter();
    const answer = await ingest(Array.from({ length: count }, () => usage({ name: 1 })));
    const listed = Math.min(count, 100);
    expect(problems(answer)).toHaveLength(listed);
    const loc = ["body", "events", listed - 1, "name"];
    expect(lastOf(answer.body)).toEqual({ loc, msg, type: "string_type", input: 1 });
  });

  it("G-EVT-MAX: is one for a list with more than 10,000 items, which are not checked", async () => {
    const { ingest, send } = await openAdapter();
    const items = Array.from({ length: 10_001 }, () => "order.paid");
    expect(problems(await ingest(items))).toEqual(["body.events too_long"]);
    const json = { url: "https://a.example", format: "raw", events: items };
    expect(problems(await send("POST /v1/webhooks/endpoints", { json }))).toEqual(["body.events too_long"]);
  });
});

it("G-422-INPUT: the input of a problem is left out if it is an object, a list or longer than 1,000 characters", async () => {
  const { ingest } = await openAdapter({ assumptions: { eventName: { maxLength: 128 } } });
  const text = "x".repeat(1_000);
  const shown = [text, 5, true, null];
  const hidden = [`${text}x`, "x".repeat(9_000_000), [1], {}];
  const { body } = await ingest([...shown, ...hidden].map((name) => usage({ name })));
  const { detail } = body as { detail: { loc: unknown[]; input?: unknown }[] };
  const inputs = new Map(detail.map(({ loc, input }) => [loc[2], input]));
  const expected = [...shown, ...hidden.map(() => undefined)].map((input, index) => [index, input] as const);
  expect(inputs).toEqual(new Map(expected));
});

it("G-422-INPUT, G-FIELDS: the input of a problem is left out if it may be secret", async () => {
  const { mock, send } = await openAdapter({ assumptions: { unknownFields: "reject" } });
  const url = "https://user:hush-hush@hooks.example/";
  const hidden = { secret: "hush-hush", signing: "whsec_hush-hush", address: url };
  const { body } = await send("POST /v1/webhooks/endpoints", {
    json: { url, format: "raw", events: [], ...hidden, seconds: 5 },
  });
  const extra = { msg: "Extra inputs are not permitted", type: "extra_forbidden" };
  const names = Object.keys(hidden).map((name) => ({ loc: ["body", name], ...extra }));
  const detail = [{ loc: ["body", "url"] }, ...names, { loc: ["body", "seconds"], ...extra, input: 5 }];
  expect(body).toMatchObject({ detail });
  await send("POST /v1/webhooks/endpoints", { body: '{"secret":whsec_hush-hush}' });
  expect(JSON.stringify([body, mock.requests.list()])).not.toMatch(/hush/);
});
