import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import type { ClientOptions } from "../../src/client/index.ts";
import { redact, sanitizeError } from "../../src/client/redact.ts";
import { breakBody, closedPort, failureOf, json, type Reply, reset, serve, stall, stallBody, text } from "./service.ts";
import { TOKEN, tinyClient } from "./tiny-contract.ts";

/** Returns everything that a person or a log may print of an error: its fields, causes and stack. */
function printed(error: unknown, showHidden = false): string {
  const own =
    error instanceof Error ? [error.message, error.stack, String(error), printed(error.cause, showHidden)] : [];
  const deep = inspect(error, { depth: null, showHidden, maxStringLength: null, maxArrayLength: null });
  return [...own, inspect(error), deep, JSON.stringify(error)].join("\n");
}

const once: Partial<ClientOptions> = { maxRetries: 0, timeout: 80 };

const replies: [name: string, reply: Reply][] = [
  ["a reset", reset],
  ["a stalled response", stall],
  ["a stalled body", stallBody()],
  ["a broken body", breakBody()],
  ["a stalled error response", stallBody(404)],
  ["HTML", text(200, "<html>")],
  ["a wrong shape", json(200, { id: 3 })],
  ["a wrong version", json(200, {}, { "service-version": "2020-04" })],
  ["a 404", json(404, { error: "Gone", detail: "x" })],
  ["a 429", json(429, {})],
];

/** `response` and the raw `value` contain the response itself. They are not printed unless asked for by name. */
const echoes: [name: string, reply: Reply][] = [
  ["an error response that repeats the token", json(401, { error: TOKEN, detail: `unknown token ${TOKEN}` })],
  ["an error response that repeats the token as text", text(500, `Authorization: Bearer ${TOKEN}`)],
  ["a redirect that repeats the token", text(302, "", { location: `https://x.example/${TOKEN}` })],
  ["a wrong shape that repeats the token", json(200, { id: "t", size: 1, owner: { kind: TOKEN, name: "a" } })],
];

it("no error contains the rest of a webhook secret that was escaped for HTML", async () => {
  const escaped = "whsec_MfKQ9r8GKYqr&#x2F;wjUPD8ILPZIo2LaLaSw&#x3D;";
  const service = await serve(
    text(302, "", { location: `https://x.example/${escaped}` }),
    text(500, `<p>${escaped}</p>`),
  );
  const billing = tinyClient({ baseUrl: service.baseUrl, ...once, timeout: 10_000 });
  const redirect = await failureOf(billing.read("t1"));
  expect(redirect.message).toContain("redirect to https://x.example/[webhook secret] not followed");
  expect(await failureOf(billing.read("t1"))).toMatchObject({ rawBody: "<p>[webhook secret]</p>" });
});

describe("no error contains the token", () => {
  it.each(replies)("after %s", async (_, reply) => {
    const service = await serve(reply);
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl, ...once }).read("t1"));
    expect(printed(error, true)).not.toContain(TOKEN);
    expect(printed(error, true).toLowerCase()).not.toContain("bearer secret");
  });

  it.each(echoes)("after %s", async (_, reply) => {
    const service = await serve(reply);
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl, ...once }).read("t1"));
    expect(printed(error)).not.toContain(TOKEN);
  });

  it("after a refused connection", async () => {
    const error = await failureOf(tinyClient({ baseUrl: await closedPort(), maxRetries: 0 }).read("t1"));
    expect(error.name).toBe("NetworkError");
    expect(printed(error, true)).not.toContain(TOKEN);
  });

  it("after an aborted call", async () => {
    const error = await failureOf(tinyClient(once).read("t1", { signal: AbortSignal.abort() }));
    expect(printed(error)).not.toContain(TOKEN);
  });

  it.each([
    ["carries the Request", (request: Request) => Object.assign(new Error("lost"), { request })],
    ["carries the Request below others", (request: Request) => new Error("lost", { cause: { at: [{ request }] } })],
    [
      "carries it in its cause",
      (request: Request) => new Error("lost", { cause: Object.assign(new TypeError("why"), { request }) }),
    ],
    [
      "repeats the header in its message",
      (request: Request) => new Error(`sent ${request.headers.get("authorization")}`),
    ],
    [
      "repeats the header in its code",
      (request: Request) => Object.assign(new Error("lost"), { code: request.headers.get("authorization") }),
    ],
    ["is the Request", (request: Request) => request],
    ["is a string with the header", (request: Request) => `sent ${request.headers.get("authorization")}`],
    ["looks like an error of ky", (request: Request) => Object.assign(new TypeError("fetch failed"), { request })],
    [
      "is an AggregateError",
      (request: Request) => new AggregateError([Object.assign(new Error("a"), { request })], "all failed"),
    ],
  ])("when a custom fetch throws a value that %s", async (_, make) => {
    const fetch = async (request: Request): Promise<Response> => {
      throw make(request);
    };
    const error = await failureOf(tinyClient({ fetch, ...once }).read("t1"));
    expect(error.name).toBe("NetworkError");
    expect(printed(error, true)).not.toContain(TOKEN);
    expect(error.cause).toBeInstanceOf(Error);
  });

  it("when the body of a custom Response fails with it", async () => {
    const headers = { "service-version": "2020-01" };
    const fetch = async (request: Request): Promise<Response> => {
      const body = new ReadableStream({
        start: (controller) => controller.error(Object.assign(new Error("cut"), { request })),
      });
      return new Response(body, { headers });
    };
    const error = await failureOf(tinyClient({ fetch, ...once }).read("t1"));
    expect(error.name).toBe("NetworkError");
    expect(printed(error, true)).not.toContain(TOKEN);
  });

  it("and neither does a warning", async () => {
    const spy = vi.spyOn(console, "warn").mockImplementation(() => {});
    const service = await serve(json(200, { id: "t", size: 1, owner: { kind: TOKEN } }, { "service-version": "x" }));
    await tinyClient({ baseUrl: service.baseUrl, onResponseMismatch: "warn", onVersionMismatch: "warn" }).read("t1");
    expect(spy).toHaveBeenCalledTimes(2);
    expect(inspect(spy.mock.calls, { depth: null })).not.toContain(TOKEN);
    spy.mockRestore();
  });
});

describe("a cause", () => {
  it("is unchanged if it contains only known properties", () => {
    const cause = Object.assign(new Error("connect ECONNREFUSED", { cause: new TypeError("inner") }), {
      code: "ECONNREFUSED",
      socket: { port: 1 },
    });
    expect(sanitizeError(cause, TOKEN)).toBe(cause);
  });

  it("with other properties keeps its name, message, code and causes", () => {
    const inner = Object.assign(new Error("inner"), { code: "E1", request: new Request("http://a.example") });
    const clean = sanitizeError(new TypeError(`outer ${TOKEN}`, { cause: inner }), TOKEN) as Error;
    expect(clean).toMatchObject({
      name: "TypeError",
      message: "outer [access token]",
      cause: { message: "inner", code: "E1" },
    });
    expect(clean.cause).not.toHaveProperty("request");
  });

  it("may refer to itself", () => {
    const error = new Error("loop");
    error.cause = error;
    expect(sanitizeError(error, TOKEN)).toBe(error);
    Object.assign(error, { request: new Request("http://a.example") });
    expect(sanitizeError(error, TOKEN)).not.toHaveProperty("request");
  });
});

describe("redact", () => {
  it("removes every occurrence, unless the token is too short", () => {
    expect(redact(`a ${TOKEN} b ${TOKEN}`, TOKEN)).toBe("a [access token] b [access token]");
    expect(redact("a test", "test")).toBe("a test");
  });

  it("removes the token of each call, also when calls with other tokens are made between them", () => {
    const tokens = [TOKEN, "another-token", TOKEN];
    expect(tokens.map((token) => redact(token, token))).toEqual(new Array(3).fill("[access token]"));
  });
});
