import { describe, expect, it } from "vitest";
import { openAdapter, problems } from "../support/adapter.ts";
import { usage } from "../support/samples.ts";

const INGEST = "POST /v1/events/ingest";

/** Sends bytes as the body of an ingest. */
async function sendBytes(body: Uint8Array<ArrayBuffer>, given: Record<string, string>) {
  const { mock, fetch, baseUrl } = await openAdapter();
  const headers = { Authorization: `Bearer ${mock.issueToken()}`, ...given };
  const response = await fetch(`${baseUrl}/v1/events/ingest`, { method: "POST", headers, body });
  return { mock, answer: { status: response.status, headers: response.headers, body: await response.json() } };
}

describe("a body that is not JSON", () => {
  it.each(["not JSON", '{"events":[}', "{'events': []}", '{"events":[],}', "NaN", "<events/>", "\u0000", "events=1"])(
    "ING-5, G-422: returns 422 at the body for %j",
    async (body) => {
      const { mock, send } = await openAdapter();
      expect(problems(await send(INGEST, { body }))).toEqual(["body json_invalid"]);
      expect(mock.events.size).toBe(0);
    },
  );

  it.each(["", " ", "\n\t", undefined])(
    "ING-5, G-422, G-CONTENT-TYPE: returns 422 for the body %j, whatever its content type",
    async (body) => {
      const { send } = await openAdapter();
      const sent = body === undefined ? {} : { body };
      expect(problems(await send(INGEST, sent))[0]).toMatch(/^body (missing|json_invalid)$/);
      const headers = { "Content-Type": "application/json" };
      expect(problems(await send(INGEST, { headers }))).toEqual(["body missing"]);
    },
  );

  it.each([
    ["Latin-1", [0xe9]],
    ["a character cut short", [0xf0, 0x9f, 0x8c]],
    ["a lone surrogate", [0xed, 0xa0, 0x80]],
  ])("EVT-2, G-422: returns 422 at the body for %s, and stores nothing", async (_, bytes) => {
    const [before = "", after = ""] = JSON.stringify({ events: [usage({ name: "~" })] }).split("~");
    const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
    const { mock, answer } = await sendBytes(body, { "Content-Type": "application/json" });
    expect(problems(answer)).toEqual(["body json_invalid"]);
    expect(mock.events.size).toBe(0);
  });
});

describe("the maximum nesting of a body", () => {
  it("G-DEPTH: is 200 objects and lists; characters inside strings and neighbours do not count", async () => {
    const { send } = await openAdapter();
    const lists = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
    const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    expect(problems(await send(INGEST, { body: lists(200) }))).toEqual(["body dict_type"]);
    expect(problems(await send(INGEST, { body: objects(200) }))).toEqual(["body.events missing"]);
    for (const body of [lists(201), objects(201)]) {
      const rejected = await send(INGEST, { body });
      expect(problems(rejected)).toEqual(["body json_invalid"]);
      expect(rejected.body).toMatchObject({ detail: [{ ctx: { error: "Nested deeper than 200 levels" } }] });
    }
    const quoted = usage({ external_id: `"${"[{".repeat(1_000)}` });
    const events = [quoted, ...Array.from({ length: 300 }, () => usage({ metadata: {} }))];
    expect((await send(INGEST, { json: { events } })).status).toBe(200);
  });

  it("ING-5, G-DEPTH: returns 422 for a body nested a hundred thousand levels deep", async () => {
    const { mock, send } = await openAdapter();
    const deep = "[".repeat(100_000) + "]".repeat(100_000);
    const bodies = [deep, `{"events":[{"metadata":{"a":${deep}}}]}`, `{"__proto__":${deep}}`];
    for (const body of bodies) expect(problems(await send(INGEST, { body }))).toEqual(["body json_invalid"]);
    expect(mock.requests.list().map(({ body }) => body)).toEqual(bodies);
    expect(mock.events.size).toBe(0);
  });
});

describe("the content type of a body", () => {
  it.each(["text/plain", "multipart/form-data", "application/jsonp", "json", "text/plain; x=application/json"])(
    "ENV-3, G-CONTENT-TYPE: is rejected at the header if it is %s",
    async (type) => {
      const { mock, send } = await openAdapter();
      const answer = await send(INGEST, { json: { events: [usage()] }, headers: { "Content-Type": type } });
      expect(problems(answer)).toEqual(["header.content-type value_error"]);
      expect(answer.body).toMatchObject({ detail: [{ input: type }] });
      expect(mock.events.size).toBe(0);
    },
  );

  it("ENV-3, G-CONTENT-TYPE: is rejected at the header if there is none", async () => {
    const { answer } = await sendBytes(new TextEncoder().encode(JSON.stringify({ events: [usage()] })), {});
    const detail = [{ loc: ["header", "content-type"], msg: expect.any(String), type: "value_error" }];
    expect(answer).toMatchObject({ status: 422, body: { detail } });
  });

  it.each(["application/json; charset=utf-8", "Application/JSON", "application/vnd.billing+json"])(
    "ENV-3, G-CONTENT-TYPE: may be %s",
    async (type) => {
      const { send } = await openAdapter();
      const answer = await send(INGEST, { json: { events: [usage()] }, headers: { "Content-Type": type } });
      expect(answer.status).toBe(200);
    },
  );
});

describe("a field named __proto__", () => {
  it.each(['{"__proto__":"x"}', '{"\\u005F\\u005Fproto\\u005f_":"x"}', '{"__proto__":{"admin":true}}'])(
    "EVT-2, G-PROTO: returns 422 anywhere in the body, and changes nothing, as %s",
    async (fields) => {
      const { mock, send } = await openAdapter();
      const inside = fields.slice(1, -1);
      const event = `{"name":"a","external_customer_id":"b",${inside},"metadata":${fields}}`;
      const found = problems(await send(INGEST, { body: `{"events":[${event}],${inside}}` }));
      const places = ["body", "body.events.0", "body.events.0.metadata"];
      expect(found).toEqual(expect.arrayContaining(places.map((place) => `${place}.__proto__ value_error`)));
      expect(mock.events.size).toBe(0);
      expect(Object.prototype).not.toHaveProperty("admin");
    },
  );

  it("EVT-2, G-PROTO: is accepted as a value or as part of a name", async () => {
    const { mock, client } = await openAdapter();
    const metadata = { a: "__proto__", my__proto__: "\ufffd", constructor: "y", prototype: "z" };
    await client().events.ingest([usage({ name: "__proto__", external_id: "__proto__", metadata })]);
    expect(mock.events.list()).toMatchObject([{ name: "__proto__", metadata }]);
  });
});
