import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { isAccessTokenError } from "../../src/errors/index.ts";
import { failureOf, json, type Reply, serve, stopTime, thing } from "./service.ts";
import { THING, TOKEN, tinyClient } from "./tiny-contract.ts";

const rejected = json(401, { error: "invalid_token", error_description: "expired" });

/** Responds to requests with this token with a thing, and to others with 401. */
function only(token: string): Reply {
  return (response, request) =>
    (request.headers.authorization === `Bearer ${token}` ? thing : rejected)(response, request);
}

describe("a 401 with a token function", () => {
  it.each([0, 2])("calls it again and retries once, with maxRetries %i", async (maxRetries) => {
    const service = await serve(only("fresh-token"));
    const accessToken = vi.fn(({ renew }: { renew: boolean }) => (renew ? "fresh-token" : "stale-token"));
    const client = tinyClient({ baseUrl: service.baseUrl, accessToken, maxRetries });
    expect(await client.read("t1")).toEqual(THING);
    expect(accessToken.mock.calls).toEqual([[{ renew: false }], [{ renew: true }]]);
    expect(service.seen.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer stale-token",
      "Bearer fresh-token",
    ]);
  });

  it("G-IDEMPOTENT: retries an operation that is not idempotent, because nothing was processed", async () => {
    const service = await serve(rejected, json(201, THING));
    expect(await tinyClient({ baseUrl: service.baseUrl, accessToken: () => "a-token" }).add({ size: 1 })).toEqual(
      THING,
    );
    expect(service.seen).toHaveLength(2);
  });

  it.each([
    ["a new token", rejected],
    ["Retry-After: 0", json(503, {}, { "retry-after": "0" })],
  ])("needs no timer for a retry without a delay, so that it works with fake timers: %s", async (_, first) => {
    const service = await serve(first, thing);
    stopTime();
    expect(await tinyClient({ baseUrl: service.baseUrl, accessToken: () => "a-token" }).read("t1")).toEqual(THING);
  });

  it("fails the call the second time", async () => {
    const service = await serve(rejected);
    const accessToken = vi.fn(() => "a-token");
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl, accessToken }).read("t1"));
    expect(error).toMatchObject({ name: "ApiError", status: 401 });
    expect(error.message).toContain("(after 2 attempts)");
    expect([accessToken.mock.calls.length, service.seen.length]).toEqual([2, 2]);
  });

  it("does not count as a retry", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const service = await serve(rejected, json(503, {}), json(503, {}), thing);
    const accessToken = vi.fn(({ renew }: { renew: boolean }) => `token-${renew}`);
    expect(await tinyClient({ baseUrl: service.baseUrl, accessToken, maxRetries: 2 }).read("t1")).toEqual(THING);
    expect(accessToken.mock.calls.map(([{ renew }]) => renew)).toEqual([false, true, false, false]);
    vi.restoreAllMocks();
  });

  it("is reported to onRetry", async () => {
    const service = await serve(rejected, thing);
    const onRetry = vi.fn();
    const accessToken = (): string => "a-token";
    await tinyClient({ baseUrl: service.baseUrl, accessToken, hooks: { onRetry } }).read("t1");
    expect(onRetry).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ attempt: 1, delay: 0 }));
  });
});

describe("a 401 with a fixed token", () => {
  it("fails the call", async () => {
    const service = await serve(rejected, thing);
    expect(await failureOf(tinyClient({ baseUrl: service.baseUrl }).read("t1"))).toMatchObject({ status: 401 });
    expect(service.seen).toHaveLength(1);
  });
});

describe("a failure inside the token function", () => {
  it("is an AccessTokenError that is not retried, and nothing is sent", async () => {
    const service = await serve(thing);
    const cause = new Error("vault is sealed");
    const accessToken = vi.fn(async (): Promise<string> => Promise.reject(cause));
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl, accessToken }).read("t1"));
    expect(isAccessTokenError(error)).toBe(true);
    expect(error).toMatchObject({ name: "AccessTokenError", operation: "things:read" });
    expect(error.cause).toBe(cause);
    expect([accessToken.mock.calls.length, service.seen.length]).toEqual([1, 0]);
  });

  it("contains neither the rejected token nor the properties of the cause", async () => {
    const service = await serve(rejected);
    const accessToken = ({ renew }: { renew: boolean }): string => {
      if (!renew) return TOKEN;
      const config = { headers: new Headers({ authorization: "Basic hidden-secret" }) };
      throw Object.assign(new Error(`cannot renew ${TOKEN}`), { config });
    };
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl, accessToken }).read("t1"));
    expect(error).toMatchObject({ name: "AccessTokenError", cause: { message: "cannot renew [access token]" } });
    const shown = inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error);
    expect(shown).not.toContain(TOKEN);
    expect(shown).not.toContain("hidden-secret");
  });
});
