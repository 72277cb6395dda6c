import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { strict } from "../../mock/index.ts";
import { openAdapter, problems, testedVersion } from "../support/adapter.ts";
import { usage } from "../support/samples.ts";

const INGEST = "POST /v1/events/ingest";
const JSON_TYPE = { "Content-Type": "application/json" };

/** Sends bytes as the body of an ingest. */
async function sendBytes(body: Uint8Array<ArrayBuffer>, given: Record<string, string>) {
  const { mock, fetch, baseUrl } = await openAdapter();
  const headers = { Authorization: `Bearer ${mock.issueToken()}`, ...given };
  const response = await fetch(`${baseUrl}/v1/events/ingest`, { method: "POST", headers, body });
  return { mock, answer: { status: response.status, headers: response.headers, body: await response.json() } };
}

describe("a body that is not JSON", () => {
  it("ING-5, G-422: returns 422 at the body, and stores nothing", async () => {
    const { mock, send } = await openAdapter();
    const bodies = ["not JSON", '{"events":[}', "{'events': []}", '{"events":[],}', "NaN", "\u0000", "events=1"];
    for (const body of bodies) expect(problems(await send(INGEST, { body }))).toEqual(["body json_invalid"]);
    expect(mock.events.size).toBe(0);
  });

  it("ING-5, G-422, G-CONTENT-TYPE: returns 422 for an empty body, whatever its content type", async () => {
    const { send } = await openAdapter();
    for (const sent of [{ body: "" }, { body: " " }, { body: "\n\t" }, {}]) {
      expect(problems(await send(INGEST, sent))[0]).toMatch(/^body (missing|json_invalid)$/);
    }
    expect(problems(await send(INGEST, { headers: JSON_TYPE }))).toEqual(["body missing"]);
  });

  it.each([
    ["Latin-1", [0xe9]],
    ["a character cut short", [0xf0, 0x9f, 0x8c]],
    ["a lone surrogate", [0xed, 0xa0, 0x80]],
    ["gzip", [0x1f, 0x8b, 0x08]],
  ])("EVT-2, G-422: returns 422 at the body for %s, and stores nothing", async (_, bytes) => {
    const [before = "", after = ""] = JSON.stringify({ events: [usage({ name: "~" })] }).split("~");
    const body = Buffer.concat([Buffer.from(before), Buffer.from(bytes), Buffer.from(after)]);
    const { mock, answer } = await sendBytes(body, JSON_TYPE);
    expect(problems(answer)).toEqual(["body json_invalid"]);
    const error = "The body is neither UTF-8 nor gzip with `Content-Encoding: gzip`";
    expect(answer.body).toMatchObject({ detail: [{ ctx: { error } }] });
    expect(mock.events.size).toBe(0);
  });
});

it("ING-5, G-413: a body in gzip is decompressed, up to the maximum size", async () => {
  const headers = { ...JSON_TYPE, "Content-Encoding": "gzip" };
  const send = (text: string) => sendBytes(new Uint8Array(gzipSync(text)), headers);
  expect((await send(JSON.stringify({ events: [usage()] }))).mock.events.size).toBe(1);
  expect((await send(" ".repeat(20_000_000))).answer.status).toBe(413);
});

it("G-PROTO: a string with NUL or half of a surrogate pair is a 422 in a strict mock, and not otherwise", async () => {
  const { ingest } = await openAdapter();
  const { unstorableText } = strict;
  const careful = await openAdapter({ assumptions: { unstorableText } });
  for (const text of ["a\0b", "\ud800", "\udc00a"]) {
    const events = [usage({ metadata: { text: [text] } })];
    expect((await ingest(events)).status).toBe(200);
    expect(problems(await careful.ingest(events))).toEqual(["body json_invalid"]);
  }
  expect((await careful.ingest([usage({ name: "😀\n\\u0000" })])).status).toBe(200);
});

it("G-DEPTH: a body may have 200 levels of objects and lists; characters in strings and neighbours do not count", async () => {
  const { mock, send, ingest } = await openAdapter();
  const lists = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  const objects = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
  expect(problems(await send(INGEST, { body: lists(200) }))).toEqual(["body dict_type"]);
  expect(problems(await send(INGEST, { body: objects(200) }))).toEqual(["body.events missing"]);
  const hundred = lists(100_000);
  for (const body of [lists(201), objects(201), hundred, `{"events":[${hundred}]}`]) {
    const rejected = await send(INGEST, { body });
    expect(problems(rejected)).toEqual(["body json_invalid"]);
    expect(rejected.body).toMatchObject({ detail: [{ ctx: { error: "Nested deeper than 200 levels" } }] });
    expect(mock.requests.last()?.body).toBe(body);
  }
  const quoted = usage({ external_id: `"${"[{".repeat(1_000)}` });
  const events = [quoted, ...Array.from({ length: 300 }, () => usage({ metadata: {} }))];
  expect((await ingest(events)).status).toBe(200);
});

describe("the content type of a body", () => {
  it("ENV-3, G-CONTENT-TYPE: may be JSON in any form; others are rejected at the header", async () => {
    const { mock, ingest } = await openAdapter();
    const send = (type: string) => ingest([usage()], { headers: { "Content-Type": type } });
    for (const type of ["application/json; charset=utf-8", "Application/JSON", "application/vnd.billing+json"])
      expect((await send(type)).status).toBe(200);
    for (const type of ["multipart/form-data", "application/jsonp", "json", "text/plain; x=application/json"]) {
      const answer = await send(type);
      expect(problems(answer)).toEqual(["header.content-type value_error"]);
      expect(answer.body).toMatchObject({ detail: [{ input: type }] });
    }
    expect(mock.events.size).toBe(3);
  });

  it("ENV-3, G-CONTENT-TYPE: is rejected at the header if there is none", async () => {
    const { answer } = await sendBytes(new TextEncoder().encode(JSON.stringify({ events: [usage()] })), {});
    const detail = [{ loc: ["header", "content-type"], msg: expect.any(String), type: "value_error" }];
    expect([answer.status, answer.body]).toEqual([422, { detail }]);
  });
});

it("EVT-2, G-PROTO: a field named __proto__ is ignored, and one with such a value is stored", async () => {
  const { mock, send } = await openAdapter();
  const event =
    '{"name":"a","external_customer_id":"b","__proto__":{"admin":true},"metadata":{"__proto__":1,"constructor":2}}';
  expect((await send(INGEST, { body: `{"events":[${event}]}` })).status).toBe(200);
  expect(mock.events.list()).toMatchObject([{ name: "a", metadata: { constructor: 2 } }]);
  expect(mock.requests.last()?.ignored).toEqual(["body.events[].__proto__", "body.events[].metadata.__proto__"]);
  expect(mock.events.list()[0]).not.toHaveProperty("admin");
});

describe("the size of a body", () => {
  it("G-413, G-BODY-MAX, VER-5: beyond the limit returns 413, which names it", async () => {
    const { ingest } = await openAdapter({ assumptions: { maxBodyBytes: 10 } });
    const rejected = await ingest([]);
    const detail = "The body is larger than 10 bytes.";
    expect(rejected).toMatchObject({ status: 413, body: { error: "RequestBodyTooLarge", detail } });
    expect(rejected.headers.get("service-version")).toBe(testedVersion);
  });
});
