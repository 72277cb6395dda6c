import { getEventListeners } from "node:events";
import { beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import {
  atBody,
  breakBody,
  clientOf,
  closedPort,
  endsAfter,
  errorOf,
  failureOf,
  json,
  type Reply,
  reset,
  stall,
  stallBody,
  stopTime,
  thing,
  unavailable,
} from "./service.ts";
import { THING, tinyClient } from "./tiny-contract.ts";

const never = (): Promise<never> => new Promise(() => {});

/** Returns the last cause: `fetch` wraps the error of the connection, and undici does not. */
function innermost(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? innermost(error.cause) : error;
}

describe("a connection that fails", () => {
  it("because it is refused is a NetworkError whose cause names the code", async () => {
    const error = await failureOf(tinyClient({ baseUrl: await closedPort(), maxRetries: 0 }).read("t1"));
    expect(error).toMatchObject({ name: "NetworkError", operation: "things:read" });
    expect(error.message).toContain("ECONNREFUSED");
    expect(innermost(error)).toMatchObject({ code: "ECONNREFUSED" });
  });

  it("because the host is unknown is a NetworkError", async () => {
    // A label of more than 63 characters is invalid, so no name server is asked and none can be slow.
    const baseUrl = `http://${"x".repeat(64)}.invalid`;
    expect((await failureOf(tinyClient({ baseUrl, maxRetries: 0 }).read("t1"))).name).toBe("NetworkError");
  });

  it.each<[name: string, reply: Reply]>([
    ["reset before the response", reset],
    ["lost while the body is read", breakBody()],
    ["used for another protocol", (response) => response.socket?.end("SSH-2.0-OpenSSH_9.6\r\n")],
  ])("because it is %s is a NetworkError", async (_, reply) => {
    const cause = expect.any(Error) as Error;
    expect(await errorOf(reply, { maxRetries: 0 })).toMatchObject({ name: "NetworkError", cause });
  });
});

describe("the timeout", () => {
  it("ends a call without a response, and closes its connection", async () => {
    const closed = Promise.withResolvers<void>();
    stopTime();
    const { client, replied } = await clientOf((response) => void response.on("close", closed.resolve));
    const failure = failureOf(client.read("t1", { timeout: 100, maxRetries: 0 }));
    await replied(1);
    await endsAfter(100, failure);
    const cause = { name: "TimeoutError" };
    expect(await failure).toMatchObject({ name: "TimeoutError", timeout: 100, operation: "things:read", cause });
    await closed.promise;
  });

  it("covers the body", async () => {
    stopTime();
    const { hooks, waits } = atBody();
    const { client } = await clientOf(stallBody(), { timeout: 100, maxRetries: 0, hooks });
    const failure = failureOf(client.read("t1"));
    await waits;
    await endsAfter(100, failure);
    expect(await failure).toMatchObject({ name: "TimeoutError", timeout: 100 });
  });

  it.each([
    ["a token function", { accessToken: never }],
    ["a hook", { hooks: { onRequest: never } }],
    ["a custom fetch that ignores its signal", { fetch: never }],
    ["a custom fetch whose body never ends", { fetch: async () => new Response(new ReadableStream()) }],
  ])("covers %s that never settles", async (_, options) => {
    const client = tinyClient({ ...options, onVersionMismatch: "ignore", timeout: 50, maxRetries: 0 });
    expect(await failureOf(client.read("t1"))).toMatchObject({ name: "TimeoutError", timeout: 50 });
  });

  it("starts again for each attempt", async () => {
    const random = vi.spyOn(Math, "random").mockReturnValue(0);
    onTestFinished(() => random.mockRestore());
    stopTime();
    const late: Reply = (response, request) => {
      vi.advanceTimersByTime(199);
      thing(response, request);
    };
    const { client, seen, replied } = await clientOf([stall, late], { timeout: 200, maxRetries: 1 });
    const call = client.read("t1");
    await replied(1);
    vi.advanceTimersByTime(200);
    expect(await call).toEqual(THING);
    expect(seen).toHaveLength(2);
  });
});

const reason = new Error("the user left");
const expired = new DOMException("late", "TimeoutError");
const rejecting = json(503, {}, { "retry-after": "60" });

describe("the caller's signal", () => {
  let controller = new AbortController();
  beforeEach(() => {
    controller = new AbortController();
  });

  it("sends nothing and requests no token when it aborted before the call", async () => {
    const accessToken = vi.fn(() => "a-token");
    const { client, seen } = await clientOf(thing, { accessToken });
    const error = await failureOf(client.read("t1", { signal: AbortSignal.abort(reason) }));
    expect(error).toMatchObject({ name: "AbortedError", operation: "things:read", cause: reason });
    expect(error.message).toBe("things:read: aborted by its signal");
    expect([seen.length, accessToken.mock.calls.length]).toEqual([0, 0]);
    const withoutReason = await failureOf(client.read("t1", { signal: AbortSignal.abort() }));
    expect(withoutReason.cause).toMatchObject({ name: "AbortError" });
  });

  describe.each([
    ["AbortedError", reason, "aborted by its signal"],
    ["TimeoutError", expired, "its signal timed out"],
  ])("ends a call with a %s at once", (name, cause, message) => {
    // The call starts to wait before the signal is aborted.
    const abort = (): void => void setImmediate(() => controller.abort(cause));

    it.each<[name: string, reply: Reply, abortBy: "reply" | "onResponse" | "onRetry"]>([
      ["for the headers", stall, "reply"],
      ["for the body", stallBody(), "onResponse"],
      ["for the body of a failure", stallBody(404), "onResponse"],
      ["for the next attempt", rejecting, "onRetry"],
    ])("while it waits %s", async (_, reply, abortBy) => {
      const hooks = abortBy === "reply" ? {} : { [abortBy]: abort };
      // Only the abort ends the call before the test times out.
      const { client, seen, replied } = await clientOf(reply, { hooks, timeout: 60_000 });
      if (abortBy === "reply") replied(1).then(abort);
      const error = await failureOf(client.read("t1", { signal: controller.signal }));
      expect(error).toMatchObject({ name, cause, message: `things:read: ${message}` });
      expect(seen).toHaveLength(1);
    });
  });

  const abort = (): void => controller.abort(reason);
  const waitAfter = (act: () => void) => (): Promise<never> => {
    act();
    return never();
  };

  it.each([
    ["a token function that waits", { accessToken: waitAfter(() => void setImmediate(abort)) }],
    ["a token function that aborts it", { accessToken: waitAfter(abort) }],
    ["a hook that waits", { hooks: { onRequest: waitAfter(() => void setImmediate(abort)) } }],
  ])("ends a call at once in %s, and nothing is sent", async (_, options) => {
    const { client, seen } = await clientOf(thing, options);
    const error = await failureOf(client.read("t1", { signal: controller.signal }));
    expect(error).toMatchObject({ name: "AbortedError", cause: reason });
    expect(seen).toEqual([]);
  });

  it.each([
    ["never ends", waitAfter(() => void setImmediate(abort))],
    ["aborts it", abort],
  ])("ends a call whose onRetry hook %s", async (_, onRetry) => {
    const { client, seen } = await clientOf(rejecting, { hooks: { onRetry } });
    expect((await failureOf(client.read("t1", { signal: controller.signal }))).cause).toBe(reason);
    expect(seen).toHaveLength(1);
  });

  it.each([
    ["AbortSignal.timeout()", (signal: AbortSignal) => signal],
    ["AbortSignal.any()", (signal: AbortSignal) => AbortSignal.any([signal, new AbortController().signal])],
  ])("of %s gives a TimeoutError, no retry, and no reason for not retrying", async (_, make) => {
    const onRetry = vi.fn();
    const { client } = await clientOf(stall, { hooks: { onRetry } });
    const error = await failureOf(client.add({ size: 1 }, { signal: make(AbortSignal.timeout(50)) }));
    expect(error).toMatchObject({ name: "TimeoutError", timeout: undefined, cause: { name: "TimeoutError" } });
    expect(error.message).toBe("things:add: its signal timed out");
    expect(onRetry).not.toHaveBeenCalled();
  });

  it("has no listener left after a call, however it ended", async () => {
    const busy = json(503, {}, { "retry-after": "0" });
    const { client } = await clientOf([thing, busy, thing, json(404, {}), busy, busy, busy, stall]);
    const { signal } = controller;
    for (let calls = 0; calls < 5; calls++) await client.read("t1", { signal, timeout: 100 }).safe();
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});

it("a completed call and an aborted delay leave no timer", async () => {
  stopTime();
  const controller = new AbortController();
  const hooks = { onRetry: () => void setImmediate(() => controller.abort(reason)) };
  const fetch = async () => new Response(null, { status: 503, headers: { "retry-after": "60" } });
  const error = await failureOf(tinyClient({ fetch, hooks }).read("t1", { signal: controller.signal }));
  expect(error.name).toBe("AbortedError");
  await tinyClient({ fetch: async () => unavailable() })
    .read("t1")
    .safe();
  expect(vi.getTimerCount()).toBe(0);
});
