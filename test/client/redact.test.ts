import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import type { ClientOptions, FetchInit } from "../../src/client/index.ts";
import { redact } from "../../src/client/redact.ts";
import { clientOf, errorOf, failureOf, json, type Reply, text } from "./service.ts";
import { THING, tinyClient } from "./tiny-contract.ts";

const TOKEN = "sk_live/51H.xyz+ABC==";
const SECRET = "whsec_TWZLUTlyOEdLWXFyVHdqVVBEOElMUFpJbzJM";
const options: Partial<ClientOptions> = { accessToken: TOKEN, maxRetries: 0, onResponseMismatch: "throw" };

/** Matches parts of the token, because an engine quotes some characters around a syntax error. */
const PARTS = /sk_live|51h|xyz|abc=/i;

/** Returns everything that a person or a log may print of an error, except its documented `response`. */
function printed(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const names = Reflect.ownKeys(error);
  const fields = names.map((name) => (error as unknown as Record<PropertyKey, unknown>)[name]);
  const deep = { depth: null, showHidden: true, maxStringLength: null, maxArrayLength: null } as const;
  const texts = [String(error), inspect(error), JSON.stringify(error), inspect(fields, deep), String(error.stack)];
  return [...texts, printed(error.cause)].join("\n");
}

const raw = (status: number, body: string, headers: Record<string, string> = {}): Reply =>
  text(status, body, { "content-type": "application/json", ...headers });
/** Tokens of 8 kB: some identity providers list the groups of a user in the token. */
const LONG = ["a", "b", "c"].map((first) => first + TOKEN.repeat(400));
const hex = (character: string): string => character.charCodeAt(0).toString(16);

/** The ways to write a token in a JSON string. */
const formsOf = (token: string): [name: string, written: string][] => [
  ["as it is", JSON.stringify(token).slice(1, -1)],
  ["with the escapes of JSON", token.replaceAll(/\W/g, (c) => (c === "/" ? "\\/" : `\\u00${hex(c)}`))],
  ["percent-encoded", encodeURIComponent(token)],
];
const forms = formsOf(TOKEN);

/** The places in which a response repeats a token. */
const places: [name: string, reply: (written: string) => Reply][] = [
  ["an error", (written) => raw(401, `{"error":"${written}","${written}":["unknown token ${written}"]}`)],
  ["a page", (written) => text(500, `Authorization: Bearer ${written}`)],
  [
    "a wrong shape",
    (written) => raw(200, `{"id":"t","size":1,"labels":{"${written}":7},"owner":{"kind":"${written}"}}`),
  ],
];

describe.each(places)("no error contains a token that a response repeats in %s", (_place, reply) => {
  it.each(forms)("written %s", async (_form, written) => {
    expect(printed(await errorOf(reply(written), options))).not.toMatch(PARTS);
  });
});

describe("no error contains the token", () => {
  it.each([
    ["repeated in X-Request-Id", raw(500, "{}", { "x-request-id": `req-${TOKEN}` })],
    ["repeated in Service-Version of a success", raw(200, "{}", { "service-version": TOKEN })],
    ["repeated in Service-Version of a failure", raw(500, "{}", { "service-version": TOKEN })],
    ["repeated in Location", raw(302, "", { location: `https://x.example/${encodeURIComponent(TOKEN)}/y` })],
  ])("%s", async (_, reply) => {
    expect(printed(await errorOf(reply, options))).not.toMatch(PARTS);
  });

  const carrying = (request: Request, error: Error = new Error("lost")) => Object.assign(error, { request });

  it.each<[name: string, make: (request: Request, header: string | null) => unknown]>([
    ["carries the Request", (request) => carrying(request)],
    ["carries the Request below others", (request) => new Error("lost", { cause: { at: [{ request }] } })],
    ["is an AggregateError", (request) => new AggregateError([carrying(request)], "all failed")],
    ["is the Request", (request) => request],
    ["is a string with the header", (_, header) => `sent ${header}`],
    ["repeats the header in its message", (_, header) => new Error(`sent ${header}`)],
    ["repeats the header as a property", (_, header) => new Error("lost", { cause: { [`${header}`]: 1 } })],
    ["repeats the header in its code", (_, header) => Object.assign(new Error("lost"), { code: header })],
  ])("when a custom fetch, or its body, fails with a value that %s", async (_, make) => {
    const thrown = (url: string, init: FetchInit) => make(new Request(url, init), `${init.headers["authorization"]}`);
    const failing = async (url: string, init: FetchInit): Promise<Response> => Promise.reject(thrown(url, init));
    const breaking = async (url: string, init: FetchInit): Promise<Response> => {
      const start = (controller: ReadableStreamDefaultController) => controller.error(thrown(url, init));
      return new Response(new ReadableStream({ start }), { headers: { "service-version": "2020-01" } });
    };
    for (const fetch of [failing, breaking]) {
      const error = await failureOf(tinyClient({ ...options, fetch }).read("t1"));
      expect(error).toMatchObject({ name: "NetworkError", cause: expect.any(Error) as Error });
      expect(printed(error)).not.toMatch(PARTS);
    }
  });

  it("nor the path of client.request, which may contain a secret", async () => {
    const secret = "secret-0123456789";
    const error = await failureOf(tinyClient(options).request("GET", `v1/x?t=${secret}`));
    expect(error).toMatchObject({ name: "InvalidInputError", path: "path" });
    expect(printed(error)).not.toContain(secret);
  });

  it("and neither does a warning", async () => {
    const spy = vi.spyOn(console, "warn").mockImplementation(() => {});
    const reply = json(200, { id: "t", size: 1, owner: { kind: TOKEN } }, { "service-version": "x" });
    const lenient = { onResponseMismatch: "warn", onVersionMismatch: "warn" } as const;
    await (await clientOf(reply, { ...options, ...lenient })).client.read("t1");
    expect(spy).toHaveBeenCalledTimes(2);
    expect(inspect(spy.mock.calls, { depth: null })).not.toMatch(PARTS);
  });
});

it("an error status is the same with a long token, which its error does not contain", async () => {
  const error = await errorOf(json(401, { detail: LONG[0] }), { accessToken: LONG[0] });
  expect(error).toMatchObject({ name: "ApiError", status: 401, rawBody: { detail: "[access token]" } });
  expect(printed(error)).not.toMatch(PARTS);
});

it("no error or log message contains a token that was renewed before it", async () => {
  const tokens = ["first-token", TOKEN, "third-token"];
  const accessToken = () => tokens[seen.length] as string;
  const failed = json(503, { detail: `first-token ${TOKEN}` }, { "retry-after": "0" });
  const thing = json(200, { id: "t", size: 1, owner: { kind: tokens.join(" ") } });
  const logger = { debug: vi.fn(), warn: vi.fn() };
  const { client, seen } = await clientOf([json(401, {}), failed, thing], { accessToken, logger });
  const error = await failureOf(client.read("t1"));
  expect(error.name).toBe("ResponseMismatchError");
  expect(seen.map(({ headers }) => headers.authorization)).toEqual(tokens.map((token) => `Bearer ${token}`));
  const shown = printed(error) + inspect(logger.debug.mock.calls, { depth: 5 });
  expect(shown).not.toMatch(/first-token|sk_live|third-token/);
});

it.each([
  ["in a mismatch", raw(200, `{"id":"${SECRET}","size":1,"owner":{"kind":"whsec_short12"}}`)],
  ["in text", text(500, `secret: ${SECRET}`)],
  ["in an error response", raw(500, `{"error":"${SECRET}","detail":"${SECRET}"}`)],
])("no error contains a webhook secret: %s", async (_, reply) => {
  const error = printed(await errorOf(reply, options));
  expect(error).not.toMatch(/TWZLUT|short12/);
  expect(error).toContain("[webhook secret]");
});

describe("nothing is redacted", () => {
  it("in other text of a body, and in the raw body", async () => {
    const body = { error: "Gone", detail: "https://x.example/a%2Fb\\/c \\u002f &#x2F; sk_test/51H" };
    expect(await errorOf(json(404, body), options)).toMatchObject({ body, rawBody: body });
  });

  it("in the data of a response, and in the headers that withResponse returns", async () => {
    const thing = { ...THING, id: TOKEN, secret: SECRET };
    const { client } = await clientOf(json(200, thing, { "x-echo": TOKEN }), options);
    const { data, response } = await client.read("t1").withResponse();
    expect([data, response.headers.get("x-echo")]).toEqual([thing, TOKEN]);
  });

  it("in an error without other objects; a copy keeps name, message, code and causes", async () => {
    const known = Object.assign(new AggregateError([new Error("refused")], "lost"), { code: "E1", port: 1 });
    const inner = Object.assign(new Error("inner"), { code: "E1", request: new Request("http://a.example") });
    const other = new TypeError(`outer ${TOKEN}`, { cause: inner });
    const fetch = vi.fn().mockRejectedValueOnce(known).mockRejectedValueOnce(other);
    const client = tinyClient({ ...options, fetch });
    expect((await failureOf(client.read("t1"))).cause).toBe(known);
    const { cause } = await failureOf(client.read("t1"));
    const copied = { message: "inner", code: "E1" };
    expect(cause).toMatchObject({ name: "TypeError", message: "outer [access token]", cause: copied });
  });
});

describe("redact", () => {
  it("removes every occurrence of the token of each call, unless it is too short", () => {
    const texts = [TOKEN, "another-token", TOKEN].map((token) => redact(`a ${token} b ${token}`, [token]));
    expect(texts).toEqual(new Array(3).fill("a [access token] b [access token]"));
    expect(redact("a test", ["test"])).toBe("a test");
  });

  it.each(formsOf(LONG[0] as string))("removes a long token %s, up to the end of its string", (_, written) => {
    expect(redact(`"${written}" x`, LONG)).toBe('"[access token]" x');
  });

  it("removes the whole of a token that begins with a newer one", () => {
    expect(redact(`a ${TOKEN}2 b`, [TOKEN, `${TOKEN}2`])).toBe("a [access token] b");
  });

  it.each([
    ["a short token", [TOKEN]],
    ["three long tokens", LONG],
  ])("takes linear time with %s", (_, tokens) => {
    const size = 1_000_000;
    const repeated = ["\\", "%2", "s", `${tokens[0]?.slice(0, 19)}~`];
    for (const text of repeated.map((part) => part.repeat(size / part.length))) expect(redact(text, tokens)).toBe(text);
  });
});
