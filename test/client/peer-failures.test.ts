import { createGzip } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { ClientOptions } from "../../src/client/index.ts";
import { BillingError, isBillingError } from "../../src/errors/index.ts";
import { breakBody, failureOf, json, type Reply, reset, serve, stall, stallBody, text } from "./service.ts";
import { THING, type TinyClient, TOKEN, tinyClient } from "./tiny-contract.ts";

interface Failure {
  readonly reply: Reply;
  /** The expected properties of the error. */
  readonly error: Readonly<Record<string, unknown>>;
  /** The expected number of requests, with one retry allowed. */
  readonly requests: number;
  readonly options?: Parameters<typeof tinyClient>[0];
  readonly call?: (client: TinyClient) => Promise<unknown>;
}

const asJson = { "content-type": "application/json" };

const bomb: Reply = (response) => {
  response.writeHead(200, { ...asJson, "content-encoding": "gzip", "service-version": "2020-01" });
  const gzip = createGzip();
  gzip.pipe(response.on("error", () => {}));
  gzip.end(Buffer.alloc(64 * 1024 * 1024, " "));
};

const deep = `${"[".repeat(200_000)}${"]".repeat(200_000)}`;
const many = (item: unknown): unknown[] => new Array(200_000).fill(item);
const soon = { "retry-after": "0" };
const date = new Date(0).toUTCString();

/** Failures that other clients turn into a raw error, a wrong value, a hanging call or an exit of the process. */
const failures: Record<string, Failure> = {
  "an HTML page with status 200": {
    reply: text(200, "<!doctype html><h1>Log in</h1>"),
    error: { name: "ResponseMismatchError", status: 200 },
    requests: 1,
  },
  "an HTML page with status 502": {
    reply: text(502, "<h1>Bad Gateway</h1>", soon),
    error: { name: "ApiError", status: 502, rawBody: "<h1>Bad Gateway</h1>", body: undefined },
    requests: 2,
  },
  "an empty body with status 200": {
    reply: text(200, ""),
    error: { name: "ResponseMismatchError" },
    requests: 1,
  },
  "a number instead of an object": { reply: json(200, 42), error: { name: "ResponseMismatchError" }, requests: 1 },
  "incomplete JSON": {
    reply: text(200, '{"id":', asJson),
    error: { name: "ResponseMismatchError" },
    requests: 1,
  },
  "JSON that is nested 200,000 deep": {
    reply: text(200, deep, asJson),
    error: { name: "ResponseMismatchError" },
    requests: 1,
  },
  "an error that is nested 200,000 deep": {
    reply: text(500, `{"detail":${deep}}`, soon),
    error: { name: "ApiError", status: 500 },
    requests: 2,
  },
  "200,000 invalid items in a 200": {
    reply: json(200, { ...THING, tags: many(1) }),
    error: { name: "ResponseMismatchError" },
    requests: 1,
  },
  "200,000 invalid items in an error": {
    reply: json(422, { detail: many({ loc: [{}], msg: 1 }) }),
    error: { name: "ApiError", status: 422, body: undefined },
    requests: 1,
    call: (client) => client.add({ key: "k" }),
  },
  "an error whose msg is not a string": {
    reply: json(422, { detail: [{ loc: [{ toString: 1 }], msg: { toString: 1 } }] }),
    error: { name: "ApiError", status: 422, message: "things:read: 422 ?: ?" },
    requests: 1,
  },
  "an error whose detail and code are not strings": {
    reply: json(400, { error: { toString: 1 }, detail: { valueOf: 1 } }),
    error: { name: "ApiError", status: 400, code: undefined, message: "things:read: 400 Bad Request" },
    requests: 1,
  },
  "an error with a field named __proto__": {
    reply: text(400, `{"__proto__":{"error":"Evil ${TOKEN}"},"constructor":null}`, asJson),
    error: { name: "ApiError", status: 400, code: undefined },
    requests: 1,
  },
  "an error whose detail has 10,000,000 characters": {
    reply: json(400, { detail: "x".repeat(10_000_000) }),
    error: { name: "ApiError", message: `things:read: 400 ${"x".repeat(1000)}…` },
    requests: 1,
  },
  "a gzip bomb": { reply: bomb, error: { name: "ResponseTooLargeError", status: 200 }, requests: 1 },
  "a body that is not the gzip it claims to be": {
    reply: text(200, "no gzip", { "content-encoding": "gzip" }),
    error: { name: "NetworkError" },
    requests: 2,
  },
  "a reset connection": { reply: reset, error: { name: "NetworkError" }, requests: 2 },
  "an incomplete body": { reply: breakBody(), error: { name: "NetworkError" }, requests: 2 },
  "a response that never comes": {
    reply: stall,
    error: { name: "TimeoutError" },
    requests: 1,
    options: { timeout: 200, maxRetries: 0 },
  },
  "a body that stalls after the headers": {
    reply: stallBody(),
    error: { name: "TimeoutError" },
    requests: 1,
    options: { timeout: 200, maxRetries: 0 },
  },
  "a 503 with Retry-After as a date": {
    reply: json(503, {}, { "retry-after": date }),
    error: { name: "ApiError", status: 503 },
    requests: 2,
  },
  "a 503 with Retry-After as a date that is too late": {
    reply: json(503, {}, { "retry-after": "Fri, 01 Jan 2100 00:00:00 GMT" }),
    error: { name: "ApiError", status: 503 },
    requests: 1,
  },
  "a 429": { reply: json(429, {}, soon), error: { name: "RateLimitError", retryAfter: 0 }, requests: 2 },
  "a 429 of an operation that is not repeatable": {
    reply: json(429, {}, soon),
    error: { name: "RateLimitError" },
    requests: 2,
    call: (client) => client.add({}),
  },
  "a 503 with retries disabled": {
    reply: json(503, {}, soon),
    error: { name: "ApiError", status: 503 },
    requests: 1,
    options: { maxRetries: 0 },
  },
  "a redirect to another host": {
    reply: text(302, "", { location: "https://evil.example/" }),
    error: { name: "ApiError", status: 302 },
    requests: 1,
  },
  "a response of another version": {
    reply: json(200, THING, { "service-version": "2019-10" }),
    error: { name: "VersionMismatchError", received: "2019-10" },
    requests: 1,
  },
  "an echoed token": {
    reply: json(401, { error: TOKEN, detail: `no such token: ${TOKEN}` }),
    error: { name: "ApiError", code: "[access token]" },
    requests: 1,
  },
};

const unhandled: unknown[] = [];
const note = (reason: unknown): void => void unhandled.push(reason);

beforeEach(() => void process.on("unhandledRejection", note));
afterEach(() => {
  process.off("unhandledRejection", note);
  expect(unhandled.splice(0)).toEqual([]);
});

describe.each(Object.entries(failures))("%s", (_name, { reply, error, requests, options, call }) => {
  const run = call ?? ((client: TinyClient) => client.read("t1"));

  it("is an error of the package, and retried only if that can help", async () => {
    const service = await serve(reply);
    const client = tinyClient({ baseUrl: service.baseUrl, maxRetries: 1, ...options });
    const failure = await failureOf(run(client));
    expect(isBillingError(failure)).toBe(true);
    expect(failure).toMatchObject(error.message === undefined ? error : { ...error, message: failure.message });
    expect(failure.message.startsWith(String(error["message"] ?? "things:"))).toBe(true);
    expect(failure.message.length).toBeLessThan(2_000);
    expect(JSON.stringify(failure) + String(failure.stack)).not.toContain(TOKEN);
    expect(service.seen).toHaveLength(requests);
  });
});

const hostile = new Proxy(new Error("hidden"), {
  get: () => {
    throw new Error("a trap");
  },
  getPrototypeOf: () => {
    throw new Error("a trap");
  },
});

const thrown: [name: string, value: unknown][] = [
  ["an object without a prototype", Object.create(null)],
  ["a Proxy that throws", hostile],
  ["a frozen error", Object.freeze(new Error("frozen"))],
  [
    "an error whose getters throw",
    Object.defineProperty(new Error("x"), "message", { get: () => hostile["x" as never] }),
  ],
  ["an error whose message is an object", Object.assign(new Error("x"), { message: { toString: 1 } })],
  ["an error that is its own cause", Object.defineProperty(new Error("loop"), "cause", { get: () => thrown[5]?.[1] })],
  ["a string", "lost"],
  ["a symbol", Symbol("lost")],
  ["undefined", undefined],
  ["null", null],
  ["a BigInt", 7n],
  ["an object that cannot become a string", { toString: 1, valueOf: 1 }],
];

describe.each<[option: string, name: string, options: (fail: () => Promise<never>) => Partial<ClientOptions>]>([
  ["fetch", "NetworkError", (fail) => ({ fetch: fail })],
  ["transport", "NetworkError", (fail) => ({ transport: { send: fail } })],
  ["token function", "AccessTokenError", (fail) => ({ accessToken: fail })],
])("a custom %s that rejects", (_option, name, options) => {
  it.each(thrown)(`with %s causes a ${name}`, async (_, value) => {
    const client = tinyClient({ ...options(() => Promise.reject(value)), maxRetries: 0 });
    const result = await client.read("t1").safe();
    expect(result.error).toBeInstanceOf(BillingError);
    expect(result).toMatchObject({ ok: false, error: { name, cause: expect.any(Error) as Error } });
  });
});

describe("a custom fetch whose Response fails in", () => {
  const fail = (): never => {
    throw Object.create(null);
  };
  const good = {
    status: 200,
    ok: true,
    headers: new Headers({ "service-version": "2020-01" }),
    text: async () => "{}",
  };
  it.each([
    ["its text", "NetworkError", { ...good, text: async () => fail() }],
    ["its headers", "NetworkError", { ...good, headers: { get: fail } }],
    ["its body", "NetworkError", { ...good, body: { getReader: fail } }],
    ["its chunks", "NetworkError", { ...good, body: { getReader: () => ({ read: async () => ({ value: null }) }) } }],
    ["having no headers", "InvalidInputError", { ...good, headers: undefined }],
  ])("%s causes a %s", async (_, name, response) => {
    const fetch = async (): Promise<Response> => response as never;
    expect(await tinyClient({ fetch, maxRetries: 0 }).read("t1").safe()).toMatchObject({ ok: false, error: { name } });
  });
});
