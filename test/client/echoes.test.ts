import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import type { Hooks } from "../../src/client/index.ts";
import { redact } from "../../src/client/redact.ts";
import { failureOf, json, type Reply, serve, text } from "./service.ts";
import { THING, tinyClient } from "./tiny-contract.ts";

const TOKEN = 'sk_live/51H"xyz+ABC==';
const SECRET = "whsec_TWZLUTlyOEdLWXFyVHdqVVBEOElMUFpJbzJM";

/** The ways to write a token in a JSON string. */
const forms: [name: string, written: string][] = [
  ["as it is", JSON.stringify(TOKEN).slice(1, -1)],
  ["with escaped slashes, as PHP does", JSON.stringify(TOKEN).slice(1, -1).replaceAll("/", "\\/")],
  ["with \\u escapes", TOKEN.replaceAll(/\W/g, (c) => `\\u00${c.charCodeAt(0).toString(16)}`)],
  ["with upper-case \\u escapes of each character", Array.from(TOKEN, (c) => `\\u00${hex(c).toUpperCase()}`).join("")],
  ["as JSON within JSON", JSON.stringify(JSON.stringify(TOKEN).replaceAll("/", "\\/")).slice(1, -1)],
  ["percent-encoded", encodeURIComponent(TOKEN)],
  ["percent-encoded in lower case", encodeURIComponent(TOKEN).replaceAll(/%../g, (c) => c.toLowerCase())],
  ["percent-encoded twice", encodeURIComponent(encodeURIComponent(TOKEN))],
  ["with HTML entities", TOKEN.replaceAll(/\W/g, (c) => `&#x${hex(c)};`)],
  ["with decimal HTML entities", TOKEN.replaceAll(/\W/g, (c) => `&#${c.charCodeAt(0)};`)],
];

function hex(character: string): string {
  return character.charCodeAt(0).toString(16);
}

/** The places in which a response repeats a token. */
const places: [name: string, reply: (written: string) => Reply][] = [
  ["detail", (written) => raw(401, `{"error":"invalid_token","detail":"unknown token ${written}"}`)],
  ["code", (written) => raw(401, `{"error":"${written}"}`)],
  ["the name of a field", (written) => raw(500, `{"headers":{"Bearer ${written}":{"deep":["${written}"]}}}`)],
  ["a declared body", (written) => raw(404, `{"error":"Gone","detail":"${written}"}`)],
  ["the problems of a 422", (written) => raw(422, `{"detail":[{"loc":["${written}"],"msg":"${written}"}]}`)],
  ["a 429", (written) => raw(429, `{"detail":"${written}"}`)],
  ["text", (written) => text(500, `Authorization: Bearer ${written}`)],
  ["text where JSON was expected", (written) => text(200, `Bearer ${written} is unknown`)],
  ["text that starts with it", (written) => text(200, written)],
  ["broken JSON", (written) => raw(200, `{"a":"${written}`)],
  ["the name of a field of a wrong shape", (written) => raw(200, `{"id":"t","size":1,"labels":{"${written}":7}}`)],
  ["a wrong shape", (written) => raw(200, `{"id":"t","size":"${written}","owner":{"kind":"${written}"}}`)],
];

function raw(status: number, body: string, headers: Record<string, string> = {}): Reply {
  return text(status, body, { "content-type": "application/json", ...headers });
}

/** Returns all content of an error except `response`, which is documented to be unchanged. */
function kept(error: Error): string {
  const fields = Reflect.ownKeys(error).filter((name) => name !== "response");
  const values = fields.map((name) => (error as unknown as Record<PropertyKey, unknown>)[name]);
  const options = { depth: null, showHidden: true, maxStringLength: null, maxArrayLength: null } as const;
  return [String(error), inspect(error), JSON.stringify(error), inspect(values, options)].join("\n");
}

/** Matches parts of the token, because an engine quotes some characters around a syntax error. */
const PARTS = /sk_live|51h|xyz|abc=/i;

async function errorOf(reply: Reply): Promise<Error & Record<string, unknown>> {
  const service = await serve(reply);
  return failureOf(tinyClient({ baseUrl: service.baseUrl, accessToken: TOKEN, maxRetries: 0 }).read("t1"));
}

describe.each(places)("a token that a response repeats in %s", (_place, reply) => {
  it.each(forms)("is removed when written %s", async (_form, written) => {
    expect(kept(await errorOf(reply(written)))).not.toMatch(PARTS);
  });
});

describe("a token that a response repeats in a header", () => {
  it.each([
    ["X-Request-Id", raw(500, "{}", { "x-request-id": `req-${TOKEN}` })],
    ["Service-Version of a success", raw(200, "{}", { "service-version": TOKEN })],
    ["Service-Version of a failure", raw(500, "{}", { "service-version": TOKEN })],
    ["Location", raw(302, "", { location: `https://x.example/${encodeURIComponent(TOKEN)}/y` })],
  ])("is removed from %s", async (_, reply) => {
    expect(kept(await errorOf(reply))).not.toMatch(PARTS);
  });

  it("is removed from Service-Version when the version is ignored", async () => {
    const service = await serve(raw(500, "{}", { "service-version": TOKEN }));
    const options = { baseUrl: service.baseUrl, accessToken: TOKEN, maxRetries: 0 };
    const error = await failureOf(tinyClient({ ...options, onVersionMismatch: "ignore" }).read("t1"));
    expect(error).toMatchObject({ name: "ApiError", version: "[access token]" });
    expect(kept(error)).not.toMatch(PARTS);
  });
});

describe("the headers that onResponse receives", () => {
  async function receivedBy(accessToken: string, reply: Reply): Promise<Headers> {
    const { baseUrl } = await serve(reply);
    const onResponse = vi.fn<NonNullable<Hooks["onResponse"]>>();
    await failureOf(tinyClient({ baseUrl, accessToken, maxRetries: 0, hooks: { onResponse } }).read("t1"));
    return onResponse.mock.calls[0]?.[0].headers as Headers;
  }

  it.each(forms)("contain no token, written %s", async (_form, written) => {
    const cookie = { "set-cookie": ["a=1", `token=${written}`] as never };
    const reply = raw(500, "{}", { "x-echo": `Bearer ${written}`, ...cookie, "x-other": "kept" });
    const received = await receivedBy(TOKEN, reply);
    expect(inspect([...received])).not.toMatch(PARTS);
    expect(received.get("x-other")).toBe("kept");
    expect(received.getSetCookie()).toEqual(["a=1", expect.stringContaining("[access token]")]);
  });

  it("leave out a header whose name is the token", async () => {
    const received = await receivedBy("sk_live-0123", raw(500, "{}", { "sk_live-0123": "1" }));
    expect(inspect([...received])).not.toContain("sk_live");
  });
});

describe("the response of withResponse", () => {
  it("is the one that the service sent, with its headers", async () => {
    const service = await serve(json(200, THING, { "x-echo": TOKEN }));
    const { response } = await tinyClient({ baseUrl: service.baseUrl, accessToken: TOKEN }).read("t1").withResponse();
    expect(response.headers.get("x-echo")).toBe(TOKEN);
  });
});

describe("a webhook secret in a response", () => {
  it.each([
    ["a mismatch", raw(200, `{"id":"${SECRET}","size":1,"owner":{"kind":"whsec_short12"}}`)],
    ["text", text(200, `secret: ${SECRET}`)],
    ["an error response", raw(500, `{"error":"${SECRET}","detail":"${SECRET}"}`)],
  ])("is removed from %s", async (_, reply) => {
    const error = kept(await errorOf(reply));
    expect(error).not.toMatch(/TWZLUT|short12/);
    expect(error).toContain("[webhook secret]");
  });
});

describe("other text", () => {
  it("is unchanged in the body and in the raw body", async () => {
    const body = { error: "Gone", detail: "https://x.example/a%2Fb\\/c \\u002f &#x2F; sk_test/51H" };
    expect(await errorOf(raw(404, JSON.stringify(body)))).toMatchObject({ body, rawBody: body });
  });

  it("is unchanged in the data of a response", async () => {
    const thing = { id: TOKEN, size: "?", secret: SECRET };
    const service = await serve(raw(200, JSON.stringify(thing)));
    const options = { baseUrl: service.baseUrl, accessToken: TOKEN, onResponseMismatch: "ignore" } as const;
    expect(await tinyClient(options).read("t1")).toEqual(thing);
  });

  it("is searched in linear time", () => {
    const size = 1_000_000;
    for (const text of ["\\".repeat(size), "%25".repeat(size / 3), "&#x0".repeat(size / 4), "s".repeat(size)]) {
      expect(redact(text, TOKEN)).toBe(text);
    }
  });
});
