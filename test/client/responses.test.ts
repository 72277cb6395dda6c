import { format, inspect } from "node:util";
import { gzipSync } from "node:zlib";
import { describe, expect, it, vi } from "vitest";
import * as errors from "../../src/errors/index.ts";
import { clientOf, errorOf, failureOf, json, type Reply, respond, text, thing } from "./service.ts";
import { THING, TOKEN, tinyClient } from "./tiny-contract.ts";

const { isApiError, isRateLimitError, NetworkError } = errors;
const gone = json(404, { error: "Gone", detail: "no t1" });
const logger = () => ({ debug: vi.fn(), warn: vi.fn() });

describe("a successful response", () => {
  it("keeps fields that the contract does not declare, and __proto__ as an own field", async () => {
    const more = `{"__proto__":{"polluted":true},"extra":[1],${JSON.stringify(THING).slice(1)}`;
    const data = await (await clientOf(text(200, more))).client.read("t1");
    expect(data).toMatchObject({ ...THING, extra: [1] });
    expect([Object.hasOwn(data, "__proto__"), "polluted" in data]).toEqual([true, false]);
  });

  it("UPG-1: comes with the response and the version that processed the request", async () => {
    const { client } = await clientOf(json(200, THING, { "x-request-id": "r1" }));
    const { data, response, version } = await client.read("t1").withResponse();
    expect([data, version, response.headers.get("x-request-id")]).toEqual([THING, "2020-01", "r1"]);
  });

  it("in several chunks is decoded as a whole, without its byte order mark", async () => {
    const bytes = new TextEncoder().encode(`\ufeff${JSON.stringify({ ...THING, id: "€ 用户" })}`);
    const start = (to: ReadableStreamDefaultController<Uint8Array>): void => {
      for (const byte of bytes) to.enqueue(Uint8Array.of(byte));
      to.close();
    };
    const fetch = async () => new Response(new ReadableStream({ start }), respond());
    expect(await tinyClient({ fetch }).read("t1")).toMatchObject({ id: "€ 用户" });
  });
});

describe("a response that does not match the contract", () => {
  it.each([
    ["", "", "expected JSON, received nothing"],
    [" \n", "", "expected JSON, received nothing"],
    ["<!doctype html><p>Log in</p>", "", "expected JSON, received other text"],
    ['{"id":"t1","si', "", "expected JSON, received other text"],
    ["OK", "", "expected JSON, received other text"],
    [{ ...THING, id: 7 }, "id", "expected string, received number"],
    [{ ...THING, size: undefined }, "size", "expected number, received nothing"],
    [{ ...THING, size: null }, "size", "expected number, received null"],
    [{ ...THING, tags: ["a", {}] }, "tags[1]", "expected string, received object"],
    [{ ...THING, owner: { kind: "team", title: 3 } }, "owner.title", "expected string, received number"],
    [{ ...THING, owner: [] }, "owner", "expected object, received array"],
    [[], "", "expected object, received array"],
    [null, "", "expected object, received null"],
  ])("is an error with its path, the problem and the body, and is not retried: %j", async (body, path, message) => {
    const { client, seen } = await clientOf([typeof body === "string" ? text(200, body) : json(200, body), thing]);
    const error = await failureOf(client.read("t1"));
    expect(error).toMatchObject({ name: "ResponseMismatchError", operation: "things:read", status: 200 });
    expect(error["mismatches"]).toEqual([{ path, message }]);
    const where = `things:read: the response (200) does not match version 2020-01: ${path || "body"}`;
    expect(error.message).toBe(`${where}: ${message}`);
    expect(error["data"]).toEqual(typeof body === "string" ? body : JSON.parse(JSON.stringify(body)));
    expect(error.cause).toBeUndefined();
    expect(seen).toHaveLength(1);
  });

  it.each([
    [3, 3, /tags\[2\]: expected string, received number$/],
    [5, 5, /tags\[0\].*tags\[1\].*tags\[2\][^[]*; and 2 more$/],
    [150, 100, /; and 147 more$/],
  ])("in %i places lists %i, and three in its message", async (places, listed, message) => {
    const error = await errorOf(json(200, { ...THING, tags: new Array(places).fill(1) }));
    expect(error["mismatches"]).toHaveLength(listed);
    expect(error.message).toMatch(message);
  });

  it("is in `data` with its secrets, and nowhere else that is printed", async () => {
    const secret = `whsec_${"a".repeat(32)}`;
    const error = await errorOf(json(200, { ...THING, size: "3", secret }));
    expect(error["data"]).toMatchObject({ size: "3", secret });
    const deep = { showHidden: true, depth: null, getters: false } as const;
    expect(JSON.stringify(error) + inspect(error, deep) + format("%o", error)).not.toContain(secret);
  });

  it("is returned by default: the client warns once per operation and field, in whatever place of a list", async () => {
    const log = logger();
    const wrong = (tags: unknown[], more: object = {}) => json(200, { ...THING, tags, ...more });
    const replies = [wrong([1]), wrong(["a", 2]), wrong([3], { size: "3" }), json(201, { ...THING, tags: [1] })];
    const { client } = await clientOf(replies, { logger: log, onResponseMismatch: undefined });
    expect(await client.read("t1")).toEqual({ ...THING, tags: [1] });
    for (const _ of [2, 3]) await client.read("t1");
    await client.add({ key: "k" });
    expect(log.warn.mock.calls.map(([message]) => message as string)).toEqual([
      "things:read: the response (200) does not match version 2020-01: tags[0]: expected string, received number",
      expect.stringContaining("size: expected number, received string"),
      expect.stringContaining("things:add: the response (201) does not match"),
    ]);
    expect(log.warn.mock.calls[0]?.[1]).toMatchObject({ name: "ResponseMismatchError", status: 200 });
  });
});

describe("the version of a response", () => {
  const other = { "service-version": "2020-04" };
  const unversioned = (status: number, body: unknown): Reply => {
    return (response) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  };
  const mismatch = { name: "VersionMismatchError", expected: "2020-01", received: "2020-04" };
  const notFound = { detail: "Not Found" };
  const api = { name: "ApiError", version: undefined, body: undefined, rawBody: notFound };
  const plain = "things:read: 404 Not Found";
  const message = "things:read: 404 Not Found (answered by 2020-04: the service may not support version 2020-01)";

  it.each<[name: string, reply: Reply, error: object]>([
    ["VER-5: another version with a success", json(200, THING, other), mismatch],
    ["VER-5: another version with a 409", json(409, { error: "Gone", detail: "" }, other), mismatch],
    ["ERR-3, VER-5: another version with a 404", json(404, notFound, other), { ...api, version: "2020-04", message }],
    [
      "ERR-3: no version with the 404 of an unsupported version",
      unversioned(404, notFound),
      { ...api, message: plain },
    ],
    ["no version with the 502 of a proxy", unversioned(502, "down"), { name: "ApiError", status: 502 }],
  ])("%s", async (_, reply, error) => {
    expect(await errorOf(reply, { maxRetries: 0 })).toMatchObject(error);
  });

  it("UPG-1: is returned and logged with `warn`", async () => {
    const log = logger();
    const warning = await clientOf(json(200, THING, other), { logger: log, onVersionMismatch: "warn" });
    expect(await warning.client.read("t1").withResponse()).toMatchObject({ data: THING, version: "2020-04" });
    expect(log.warn).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining("received 2020-04"),
      expect.objectContaining({ expected: "2020-01", received: "2020-04" }),
    );
  });
});

describe("a response without Service-Version", () => {
  const from = (status: number, body: string, type?: string): Reply => {
    return (response) => response.writeHead(status, type ? { "content-type": type } : {}).end(body);
  };
  const page = "<!doctype html>\n<title>Log in</title>";

  it.each([
    ["a page", from(200, page, "text/html"), 'text/html, "<!doctype html> <title>Log in</title>"'],
    ["a page that claims to be JSON", from(200, page, "application/json"), 'application/json, "<!doctype html>'],
    ["text", from(201, "OK"), 'no content type, "OK"'],
    ["nothing", from(200, ""), "no content type, no content"],
  ])("is a NetworkError if it is %s, which is retried if that is safe", async (_, reply, description) => {
    const { client, seen } = await clientOf([reply, thing, reply]);
    expect(await client.read("t1")).toEqual(THING);
    const error = await failureOf(client.add({}));
    expect(error.name).toBe("NetworkError");
    expect(error.message).toMatch(/^things:add: the response \(20[01]\) is not from the service: /);
    expect(error.message).toContain(description);
    expect(seen).toHaveLength(3);
  });

  it("quotes at most 100 characters of a page, without secrets", async () => {
    const { client } = await clientOf(from(200, `<p>${TOKEN} whsec_${"a".repeat(30)} ${"b".repeat(500)}`, "text/html"));
    const { message } = await failureOf(client.request("POST", "/v1/x"));
    expect(message).toContain(`"<p>[access token] [webhook secret] ${"b".repeat(65)}"`);
  });

  it("is the answer of an unknown version if it is JSON: each client warns once", async () => {
    const log = logger();
    const options = { logger: log, onVersionMismatch: "throw" } as const;
    const { client } = await clientOf(from(200, JSON.stringify(THING), "application/json"), options);
    expect(await client.read("t1").withResponse()).toMatchObject({ data: THING, version: undefined });
    expect(await client.read("t1")).toEqual(THING);
    expect(log.warn).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/^things:read: the response has no Service-Version header \(CORS/),
      expect.objectContaining({ operation: "things:read", expected: "2020-01" }),
    );
  });

  it.each([
    ["a page", from(404, page), { fromService: false, body: undefined, rawBody: page }],
    ["an incomplete body", from(404, '{"error":"Gone"'), { fromService: false }],
    ["nothing", from(503, ""), { fromService: false, message: "things:read: 503" }],
    ["JSON", from(404, '{"error":"Gone","detail":"x"}'), { fromService: true, body: { error: "Gone", detail: "x" } }],
  ])("with an error status and %s says whether it is from the service", async (_, reply, facts) => {
    expect(await errorOf(reply, { maxRetries: 0 })).toMatchObject({ name: "ApiError", ...facts });
  });

  it("has no typed body unless it is from the service, and its message quotes the page", async () => {
    const error = await errorOf(from(404, page, "text/html"));
    expect(error.message).toMatch(/^things:read: 404 \(not from the service: text\/html, "<!doctype html>/);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ fromService: false });
  });
});

describe("an error response", () => {
  it("ERR-1: becomes an error with status, code, typed body, version and request id", async () => {
    const body = { error: "Gone", detail: "no t1", extra: 1 };
    const error = await errorOf(json(404, body));
    const facts = { operation: "things:read", status: 404, code: "Gone", version: "2020-01", fromService: true };
    expect(error).toMatchObject({ ...facts, body, rawBody: body, message: "things:read: 404 no t1" });
    expect((error["response"] as Response).status).toBe(404);
    expect(error.toString()).toBe("ApiError: things:read: 404 no t1");
    const { name, message } = error;
    // As a tool that observes requests may do.
    Object.assign(error, { request: { headers: { authorization: "Bearer secret" } } });
    expect(JSON.parse(JSON.stringify(error))).toEqual({ name, message, ...facts });
  });

  it("names the fields of the variant that was probably meant, of both if neither is more likely", async () => {
    const problem = (index: number, variant: string, name: string) => {
      return { loc: ["body", "events", index, variant, name], msg: "Field required" };
    };
    const [own, external] = ["EventCreateCustomer", "EventCreateExternalCustomer"];
    const first = [problem(0, own, "name"), problem(0, own, "customer_id"), problem(0, external, "name")];
    const second = [problem(1, own, "customer_id"), problem(1, external, "external_customer_id")];
    const { client } = await clientOf(json(422, { detail: [...first, ...second] }));
    const paths = ["0.name", "1.customer_id", "1.external_customer_id"];
    const message = paths.map((path) => `body.events.${path}: Field required`).join("; ");
    expect((await failureOf(client.add({}))).message).toBe(`things:add: 422 ${message}`);
  });

  it("prints no header, which may echo a token, with every format of the console", async () => {
    const error = await errorOf(json(500, {}, { "x-echo": TOKEN }), { maxRetries: 0 });
    expect((error["response"] as Response).headers.get("x-echo")).toBe(TOKEN);
    expect(format("%o %O %j %s", error, error, error, error)).not.toContain(TOKEN);
  });

  it("is narrowed by its status", async () => {
    const error = await errorOf(gone);
    expect([isApiError(error, 404), isApiError(error, 422), isApiError(error)]).toEqual([true, false, true]);
    expect([new Error("404"), { name: "ApiError", status: 404 }].some((other) => isApiError(other, 404))).toBe(false);
    expect([undefined, error, error].filter(isApiError)).toEqual([error, error]);
  });

  it.each([
    ["of another shape", json(404, { error: "Lost" }), { error: "Lost" }],
    ["of an undeclared status", json(403, { error: "Gone", detail: "x" }), { error: "Gone", detail: "x" }],
    ["HTML", text(404, "<h1>404</h1>"), "<h1>404</h1>"],
    ["empty", text(404, ""), ""],
    ["incomplete", text(404, '{"error":'), '{"error":'],
  ])("has only a raw body if its body is %s", async (_, reply, rawBody) => {
    expect(await errorOf(reply)).toMatchObject({ name: "ApiError", body: undefined, rawBody });
  });

  it("ERR-2: names the first three fields of a 422 and counts the others", async () => {
    const detail = [0, 1, 2, 3, 4].map((index) => ({ loc: ["body", "events", index], msg: "Field required" }));
    const { client } = await clientOf(json(422, { detail }));
    const error = await failureOf(client.add({}));
    expect(error).toMatchObject({ name: "ApiError", status: 422, body: { detail } });
    expect(error.message).toMatch(/body\.events\.0: Field required.*and 2 more/);
    expect(inspect(error)).toContain("loc: [ 'body', 'events', 4 ], msg: 'Field required'");
    expect(inspect({ deep: { error } }, { depth: 1 })).toContain("[ApiError]");
  });

  it("with the status 429 is a RateLimitError with the delay in seconds", async () => {
    const error = await errorOf(json(429, {}, { "retry-after": "7" }), { maxRetries: 0 });
    expect(isRateLimitError(error) && isApiError(error)).toBe(true);
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ name: "RateLimitError", status: 429, retryAfter: 7 });
  });
});

it("each type guard returns true only for its error of the package", () => {
  const names = Object.keys(errors).filter((name) => name.endsWith("Error") && !/^is|Billing|Api/.test(name));
  expect(names).toHaveLength(10);
  const guards = new Map<string, unknown>(Object.entries(errors));
  const all = names.map((name) => Object.assign(new NetworkError("lost"), { name }));
  for (const name of names) {
    const isOne = guards.get(`is${name}`) as (value: unknown) => boolean;
    expect(all.filter(isOne)).toMatchObject([{ name }]);
    expect(isOne(Object.assign(new Error("lost"), { name }))).toBe(false);
  }
});

const MIB = 1024 * 1024;

/** Responds with 2 MiB of spaces, which JSON allows, and does not end the body. */
function endless(status: number, encoding?: "gzip"): Reply {
  const encoded = encoding && { "content-encoding": encoding };
  const headers = { "content-type": "application/json", "service-version": "2020-01", ...encoded };
  const spaces = " ".repeat(2 * MIB);
  return (response) => void response.writeHead(status, headers).write(encoding ? gzipSync(spaces) : spaces);
}

describe("a response that is too long", () => {
  it.each([
    [200, undefined],
    [200, "gzip"],
  ] as const)("with status %i, encoded by %s, is read up to the limit, and once", async (status, encoding) => {
    const closed = Promise.withResolvers<void>();
    const { client, seen } = await clientOf((response, request) => {
      response.on("close", closed.resolve);
      endless(status, encoding)(response, request);
    });
    const error = await failureOf(client.read("t1", { maxResponseBytes: MIB }));
    expect(errors.isResponseTooLargeError(error)).toBe(true);
    const facts = { status, maxResponseBytes: MIB, operation: "things:read" };
    expect(JSON.parse(JSON.stringify(error))).toMatchObject(facts);
    expect(error.message).toContain(`the response body (${status}) is longer than maxResponseBytes: ${MIB}, or`);
    await closed.promise;
    expect(seen).toHaveLength(1);
  });

  it("does not hide an error status, of whose body at most 1 MiB is read", async () => {
    const { client, seen } = await clientOf([endless(503, "gzip"), endless(404)], { maxRetries: 1 });
    const error = await failureOf(client.add({ key: "k" }));
    const cause = { name: "ResponseTooLargeError", maxResponseBytes: MIB };
    expect(error).toMatchObject({ name: "ApiError", status: 404, rawBody: undefined, cause });
    expect(seen).toHaveLength(2);
  });

  it("may have too many names and values instead, which would take gigabytes", async () => {
    const body = gzipSync(`{"detail":[${"[],".repeat(11_000_000)}[]]}`);
    const { client } = await clientOf((response) => {
      const headers = { "content-type": "application/json", "service-version": "2020-01" };
      response.writeHead(200, { ...headers, "content-encoding": "gzip" });
      response.end(body);
    });
    const before = process.cpuUsage();
    const error = await failureOf(client.read("t1"));
    expect(error.name).toBe("ResponseTooLargeError");
    expect(error.message).toContain("has more than 1000000 names and values");
    expect(process.cpuUsage(before).user / 1000).toBeLessThan(3_000);
  });

  it("is read up to 32 MiB by default, and the rest is cancelled", async () => {
    const cancel = vi.fn();
    const pull = vi.fn((to: ReadableStreamDefaultController<Uint8Array>) => to.enqueue(new Uint8Array(MIB)));
    const fetch = async () => new Response(new ReadableStream({ pull, cancel }), respond());
    const error = await failureOf(tinyClient({ fetch }).read("t1"));
    expect(error).toMatchObject({ name: "ResponseTooLargeError", maxResponseBytes: 32 * MIB });
    expect(pull.mock.calls.length).toBeLessThanOrEqual(36);
    expect(cancel).toHaveBeenCalledOnce();
  });

  it("has more bytes than maxResponseBytes, of the call or else of the client, whatever onResponseMismatch says", async () => {
    const size = JSON.stringify(THING).length;
    const { client } = await clientOf(thing, { maxResponseBytes: size - 1, onResponseMismatch: "warn" });
    expect(await client.read("t1", { maxResponseBytes: size })).toEqual(THING);
    expect((await failureOf(client.read("t1"))).name).toBe("ResponseTooLargeError");
    expect(await client.request("GET", "/v1/x").safe()).toMatchObject({ ok: false });
  });

  it("is measured by its characters if a custom Response has no stream", async () => {
    const { status, headers } = respond();
    const fetch = async () => ({ status, headers, text: async () => JSON.stringify(THING) }) as Response;
    expect(await tinyClient({ fetch }).read("t1")).toEqual(THING);
    const error = await failureOf(tinyClient({ fetch, maxResponseBytes: 10 }).read("t1"));
    expect(error.name).toBe("ResponseTooLargeError");
  });
});
