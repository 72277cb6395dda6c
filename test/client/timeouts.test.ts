import { beforeEach, describe, expect, it, vi } from "vitest";
import type { ClientOptions } from "../../src/client/index.ts";
import { clientOf, failureOf, json, type Reply, refused, stall, stallBody, thing } from "./service.ts";
import { THING, tinyClient } from "./tiny-contract.ts";

const never = (): Promise<never> => new Promise(() => {});

describe("the timeout", () => {
  it.each([
    ["a token function", { accessToken: never }],
    ["a hook", { hooks: { onRequest: never } }],
    ["a custom fetch that ignores its signal", { fetch: never }],
    ["a custom fetch whose body never ends", { fetch: async () => new Response(new ReadableStream()) }],
  ])("covers %s that never settles", async (_, options) => {
    const client = tinyClient({ ...options, onVersionMismatch: "warn", timeout: 50, maxRetries: 0 });
    const message = `things:read: no complete response within 50 ms`;
    expect(await failureOf(client.read("t1"))).toMatchObject({ name: "TimeoutError", timeout: 50, message });
  });

  it("starts again for each attempt, but totalTimeout does not", async () => {
    vi.spyOn(Math, "random").mockReturnValue(0);
    const late: Reply = (...of) => void setTimeout(() => thing(...of), 300);
    const { client, seen } = await clientOf([stall, late, stall], { timeout: 600, maxRetries: 1 });
    expect(await client.read("t1")).toEqual(THING);
    expect(seen).toHaveLength(2);
    const error = await failureOf(client.read("t1", { totalTimeout: 100 }));
    const message = "things:read: no complete response within 100 ms";
    expect(error).toMatchObject({ name: "TimeoutError", timeout: 100, message });
  });
});

const reason = new Error("the user left");
const rejecting = json(503, {}, { "retry-after": "60" });

describe("the caller's signal", () => {
  let controller = new AbortController();
  beforeEach(() => {
    controller = new AbortController();
  });

  it("sends nothing and requests no token when it aborted before the call", async () => {
    const accessToken = vi.fn(() => "a-token");
    const error = await refused(({ read }) => read("t1", { signal: AbortSignal.abort() }), { accessToken });
    const message = "things:read: aborted by its signal";
    expect(error).toMatchObject({ name: "AbortedError", message, cause: { name: "AbortError" } });
    expect(accessToken).not.toHaveBeenCalled();
  });

  const abort = (): void => controller.abort(reason);
  // The call starts to wait before the signal is aborted.
  const abortSoon = (): void => void setImmediate(abort);

  const abortAfter = (reply: Reply): Reply => {
    return (...of) => {
      reply(...of);
      setTimeout(abort, 50); // The client has read the headers.
    };
  };

  const waitAfter = (act: () => void) => (): Promise<never> => {
    act();
    return never();
  };

  it.each<[name: string, requests: number, options: Partial<ClientOptions>, reply?: Reply]>([
    ["while it waits for the headers", 1, {}, abortSoon],
    ["while it waits for the body", 1, {}, abortAfter(stallBody())],
    ["while it waits for an error body", 1, {}, abortAfter(stallBody(404))],
    ["while it waits for the next attempt", 1, { hooks: { onRetry: abortSoon } }, rejecting],
    ["in a token function that waits", 0, { accessToken: waitAfter(abortSoon) }],
    ["in a token function that aborts it", 0, { accessToken: waitAfter(abort) }],
    ["in a hook that waits", 0, { hooks: { onRequest: waitAfter(abortSoon) } }],
  ])("ends a call at once %s", async (_, requests, options, reply = thing) => {
    // Only the abort ends the call before the test times out.
    const { client, seen } = await clientOf(reply, { ...options, timeout: 60_000 });
    const error = await failureOf(client.read("t1", { signal: controller.signal }));
    expect(error).toMatchObject({ name: "AbortedError", operation: "things:read", cause: reason });
    expect(seen).toHaveLength(requests);
  });

  it("of AbortSignal.any() with a timeout gives a TimeoutError, and no reason for not retrying", async () => {
    const { client } = await clientOf(stall);
    const signal = AbortSignal.any([AbortSignal.timeout(50), controller.signal]);
    const error = await failureOf(client.add({ size: 1 }, { signal }));
    expect(error).toMatchObject({ name: "TimeoutError", timeout: undefined, cause: { name: "TimeoutError" } });
    expect(error.message).toBe("things:add: its signal timed out");
  });
});
