import { inspect } from "node:util";
import { describe, expect, it } from "vitest";
import {
  isAbortedError,
  isAccessTokenError,
  isApiError,
  isInvalidInputError,
  isNetworkError,
  isRateLimitError,
  isResponseMismatchError,
  isResponseTooLargeError,
  isTimeoutError,
  isVersionMismatchError,
  isWebhookVerificationError,
  NetworkError,
} from "../../src/errors/index.ts";
import { atBody, breakBody, endsAfter, failureOf, json, serve, stallBody, stopTime, text } from "./service.ts";
import { tinyClient } from "./tiny-contract.ts";

describe("an error response", () => {
  it("ERR-1: becomes an error with status, code, typed body, version and request id", async () => {
    const service = await serve(json(404, { error: "Gone", detail: "no t1", extra: 1 }, { "x-request-id": "r7" }));
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl }).read("t1"));
    expect(isApiError(error)).toBe(true);
    const body = { error: "Gone", detail: "no t1", extra: 1 };
    expect(error).toMatchObject({
      operation: "things:read",
      status: 404,
      code: "Gone",
      body,
      rawBody: body,
      version: "2020-01",
      requestId: "r7",
    });
    expect(error.message).toBe("things:read: 404 no t1");
    expect((error["response"] as Response).status).toBe(404);
  });

  it("is printed without a cause if it has none", async () => {
    const service = await serve(json(404, { error: "Gone", detail: "no t1" }));
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl }).read("t1"));
    expect(inspect(error)).not.toContain("cause");
  });

  it("is narrowed by its status", async () => {
    const service = await serve(json(404, { error: "Gone", detail: "no t1" }));
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl }).read("t1"));
    expect([isApiError(error, 404), isApiError(error, 422), isApiError(error)]).toEqual([true, false, true]);
    expect([isApiError(new Error("404"), 404), isApiError({ name: "ApiError", status: 404 }, 404)]).toEqual([
      false,
      false,
    ]);
    expect([undefined, error, error].filter(isApiError)).toEqual([error, error]);
  });

  it("is printed with its typed body, or with its raw one", async () => {
    const service = await serve(json(404, { error: "Gone", detail: "no t1" }), json(404, { error: "Lost" }));
    const client = tinyClient({ baseUrl: service.baseUrl });
    const typed = inspect(await failureOf(client.read("t1")));
    expect(typed).toContain("body: { error: 'Gone', detail: 'no t1' }");
    expect(typed).not.toContain("rawBody");
    expect(inspect(await failureOf(client.read("t1")))).toContain("rawBody: { error: 'Lost' }");
  });

  it.each([
    ["of another shape", json(404, { error: "Lost" }), { error: "Lost" }],
    ["of an undeclared status", json(403, { error: "Gone", detail: "x" }), { error: "Gone", detail: "x" }],
    ["HTML", text(404, "<h1>404</h1>"), "<h1>404</h1>"],
    ["empty", text(404, ""), ""],
    ["incomplete", text(404, '{"error":'), '{"error":'],
  ])("has only a raw body if its body is %s", async (_, reply, rawBody) => {
    const service = await serve(reply);
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl }).read("t1"));
    expect(error).toMatchObject({ name: "ApiError", body: undefined, rawBody });
  });

  it("ERR-2: names the first three fields of a 422 and counts the others", async () => {
    const detail = [0, 1, 2, 3, 4].map((index) => ({ loc: ["body", "events", index], msg: "Field required" }));
    const service = await serve(json(422, { detail }));
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl }).add({}));
    expect(error).toMatchObject({ name: "ApiError", status: 422, body: { detail } });
    expect(error.message).toContain("body.events.0: Field required");
    expect(error.message).toContain("and 2 more");
  });

  it("keeps its status when its body times out, with the timeout as the cause", async () => {
    stopTime();
    const service = await serve(stallBody(404));
    const { hooks, waits } = atBody();
    const failure = failureOf(tinyClient({ baseUrl: service.baseUrl, timeout: 80, hooks }).read("t1"));
    await waits;
    await endsAfter(80, failure);
    expect(await failure).toMatchObject({
      name: "ApiError",
      status: 404,
      rawBody: undefined,
      cause: { name: "TimeoutError", timeout: 80 },
    });
  });

  it("keeps its status when its body is incomplete, with the network failure as the cause", async () => {
    const service = await serve(breakBody(404));
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl }).read("t1"));
    expect(error).toMatchObject({ name: "ApiError", status: 404, rawBody: undefined, cause: { name: "NetworkError" } });
  });
});

describe("a 429", () => {
  it("is a RateLimitError with the delay in seconds", async () => {
    const service = await serve(json(429, {}, { "retry-after": "7" }));
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl, maxRetries: 0 }).read("t1"));
    expect(isRateLimitError(error) && isApiError(error)).toBe(true);
    expect(error).toMatchObject({ name: "RateLimitError", status: 429, retryAfter: 7 });
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ name: "RateLimitError", retryAfter: 7 });
  });
});

const guards: Record<string, (value: unknown) => boolean> = {
  AbortedError: isAbortedError,
  AccessTokenError: isAccessTokenError,
  InvalidInputError: isInvalidInputError,
  NetworkError: isNetworkError,
  RateLimitError: isRateLimitError,
  ResponseMismatchError: isResponseMismatchError,
  ResponseTooLargeError: isResponseTooLargeError,
  TimeoutError: isTimeoutError,
  VersionMismatchError: isVersionMismatchError,
  WebhookVerificationError: isWebhookVerificationError,
};

describe.each(Object.entries(guards))("the type guard of %s", (name, isOne) => {
  it("returns true only for this error of the package", () => {
    const errors = Object.keys(guards).map((each) => Object.assign(new NetworkError("lost"), { name: each }));
    expect(errors.filter(isOne)).toMatchObject([{ name }]);
    expect(isOne(Object.assign(new Error("lost"), { name }))).toBe(false);
  });
});
