import { describe, expect, it } from "vitest";
import { openAdapter, problems } from "../support/adapter.ts";
import { usage } from "../support/samples.ts";

const INGEST = "POST /v1/events/ingest";

describe("a body that is not JSON", () => {
  it.each([
    "not JSON",
    "{",
    '{"events":[}',
    "{'events': []}",
    '{"events":[],}',
    "undefined",
    "NaN",
    "<events/>",
    "\u0000",
    "events=1",
  ])("ING-5, G-422: returns 422 at the body for %j", async (body) => {
    const { mock, send } = await openAdapter();
    expect(problems(await send(INGEST, { body }))).toEqual(["body json_invalid"]);
    expect(mock.events.size).toBe(0);
  });

  it.each([[""], [" "], ["\n\t"]])("ING-5, G-422: returns 422 for the body %j and for no body", async (body) => {
    const { send } = await openAdapter();
    expect(problems(await send(INGEST, { body }))[0]).toMatch(/^body (missing|json_invalid)$/);
    const headers = { "Content-Type": "application/json" };
    expect(problems(await send(INGEST, { headers }))).toEqual(["body missing"]);
  });

  it.each([INGEST, "POST /v1/webhooks/endpoints"])(
    "G-CONTENT-TYPE, ING-5: without a body, %s reports the body as missing, not its content type",
    async (line) => {
      const { send } = await openAdapter();
      expect(problems(await send(line))).toEqual(["body missing"]);
    },
  );

  it("ING-5, G-DEPTH: returns 422 for a body nested a hundred thousand levels deep", async () => {
    const { mock, send } = await openAdapter();
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const bodies = [deep, `{"events":${deep}}`, `{"events":[{"metadata":{"a":${deep}}}]}`, `{"__proto__":${deep}}`];
    for (const body of bodies) expect(problems(await send(INGEST, { body }))).toEqual(["body json_invalid"]);
    expect(mock.requests.list().map(({ body }) => body)).toEqual(bodies);
    expect(mock.events.size).toBe(0);
    expect((await send(INGEST, { json: { events: [usage({ external_id: "[{".repeat(1000) })] } })).status).toBe(200);
  });
});

describe("a body that is not UTF-8", () => {
  it.each([
    ["Latin-1", [0xe9]],
    ["a character cut short", [0xf0, 0x9f, 0x8c]],
    ["a lone surrogate", [0xed, 0xa0, 0x80]],
  ])("EVT-2, G-422: returns 422 at the body for %s, and stores nothing", async (_, bytes) => {
    const { mock, fetch, baseUrl } = await openAdapter();
    const [before = "", after = ""] = JSON.stringify({ events: [usage({ name: "~" })] }).split("~");
    const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
    const headers = { Authorization: `Bearer ${mock.issueToken()}`, "Content-Type": "application/json" };
    const answer = await fetch(`${baseUrl}/v1/events/ingest`, { method: "POST", headers, body });
    const received = { status: answer.status, headers: answer.headers, body: await answer.json() };
    expect(problems(received)).toEqual(["body json_invalid"]);
    expect(mock.events.size).toBe(0);
  });

  it("EVT-2: accepts the replacement character", async () => {
    const { mock, client } = await openAdapter();
    await client().events.ingest([usage({ name: "\ufffd" })]);
    expect(mock.events.list()).toMatchObject([{ name: "\ufffd" }]);
  });
});

describe("the maximum nesting of a body", () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);

  it("G-DEPTH: is 200 levels", async () => {
    const levels = 200;
    const { send } = await openAdapter();
    expect(problems(await send(INGEST, { body: nested(levels) }))).toEqual(["body dict_type"]);
    const rejected = await send(INGEST, { body: nested(levels + 1) });
    expect(problems(rejected)).toEqual(["body json_invalid"]);
    expect(rejected.body).toMatchObject({ detail: [{ ctx: { error: `Nested deeper than ${levels} levels` } }] });
  });

  it("G-DEPTH: counts objects and lists, but not characters inside strings", async () => {
    const { send } = await openAdapter();
    const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    expect(problems(await send(INGEST, { body: objects(200) }))).toEqual(["body.events missing"]);
    expect(problems(await send(INGEST, { body: objects(201) }))).toEqual(["body json_invalid"]);
    const wide = { events: Array.from({ length: 300 }, () => usage({ metadata: {} })) };
    expect((await send(INGEST, { json: wide })).status).toBe(200);
    const quoted = usage({ external_id: `"${"[{".repeat(1_000)}` });
    expect((await send(INGEST, { json: { events: [quoted] } })).status).toBe(200);
  });
});

describe("a body whose content type is not JSON", () => {
  it.each([
    "text/plain",
    "application/x-www-form-urlencoded",
    "multipart/form-data",
    "application/jsonp",
    "json",
    "text/plain; x=application/json",
  ])("ENV-3, G-CONTENT-TYPE: returns 422 at the header for %s", async (type) => {
    const { mock, send } = await openAdapter();
    const answer = await send(INGEST, { json: { events: [usage()] }, headers: { "Content-Type": type } });
    expect(problems(answer)).toEqual(["header.content-type value_error"]);
    expect(answer.body).toMatchObject({ detail: [{ input: type }] });
    expect(mock.events.size).toBe(0);
  });

  it("ENV-3, G-CONTENT-TYPE: returns 422 at the header for requests without a content type", async () => {
    const { mock, fetch, baseUrl } = await openAdapter();
    const headers = { Authorization: `Bearer ${mock.issueToken()}` };
    const body = new TextEncoder().encode(JSON.stringify({ events: [usage()] }));
    const answer = await fetch(`${baseUrl}/v1/events/ingest`, { method: "POST", headers, body });
    const detail = [{ loc: ["header", "content-type"], msg: expect.any(String), type: "value_error" }];
    expect({ status: answer.status, body: await answer.json() }).toEqual({ status: 422, body: { detail } });
  });

  it.each(["application/json", "application/json; charset=utf-8", "Application/JSON", "application/vnd.billing+json"])(
    "ENV-3, G-CONTENT-TYPE: %s is JSON",
    async (type) => {
      const { send } = await openAdapter();
      const answer = await send(INGEST, { json: { events: [usage()] }, headers: { "Content-Type": type } });
      expect(answer.status).toBe(200);
    },
  );
});

describe("a field named __proto__", () => {
  const event = (metadata: string) => `{"events":[{"name":"a","external_customer_id":"b","metadata":${metadata}}]}`;

  it.each([
    '{"__proto__":"x"}',
    '{"\\u005f_proto__":"x"}',
    '{"\\u005F\\u005Fproto\\u005f_":"x"}',
    '{"__\\u0070roto__":"x"}',
    '{"__proto__":{"admin":true}}',
  ])("EVT-2, G-PROTO: returns 422 and changes nothing in metadata, as %s", async (metadata) => {
    const { mock, send } = await openAdapter();
    const found = problems(await send(INGEST, { body: event(metadata) }));
    expect(found).toContain("body.events.0.metadata.__proto__ value_error");
    expect(mock.events.size).toBe(0);
    expect(Object.prototype).not.toHaveProperty("admin");
  });

  it("EVT-2, G-PROTO: returns 422 at the field anywhere else in the body", async () => {
    const { send } = await openAdapter();
    const body = '{"events":[{"name":"a","external_customer_id":"b","__proto__":{"name":"c"}}],"__proto__":{}}';
    const answer = await send(INGEST, { body });
    expect(problems(answer).sort()).toEqual(["body.__proto__ value_error", "body.events.0.__proto__ value_error"]);
    expect(answer.body).toMatchObject({ detail: [{ loc: ["body", "events", 0, "__proto__"] }, {}] });
  });

  it("EVT-2, G-PROTO: is accepted as a value or as part of a name", async () => {
    const { mock, client } = await openAdapter();
    const metadata = { a: "__proto__", my__proto__: "x", constructor: "y", prototype: "z" };
    await client().events.ingest([usage({ name: "__proto__", external_id: "__proto__", metadata })]);
    expect(mock.events.list()).toMatchObject([{ name: "__proto__", metadata }]);
  });
});
