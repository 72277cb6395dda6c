import { getEventListeners } from "node:events";
import { describe, expect, it, vi } from "vitest";
import { failureOf, json, type Service, serve, stall, stallBody, stopTime, thing } from "./service.ts";
import { tinyClient } from "./tiny-contract.ts";

const reason = new Error("the user left");

/** A signal, and hooks that abort it when the client waits for something. */
function abortedWhile(waits: "for the answer" | "for the body" | "for the next attempt", service: Service) {
  const controller = new AbortController();
  // The call starts to wait before the signal is aborted.
  const abort = () => void setImmediate(() => controller.abort(reason));
  const hooks = {
    onRequest: () => void (waits === "for the answer" && service.replied(1).then(abort)),
    onResponse: () => void (waits === "for the body" && abort()),
    onRetry: () => void (waits === "for the next attempt" && abort()),
  };
  return { signal: controller.signal, hooks };
}

describe("the caller's signal", () => {
  it("sends nothing and requests no token when it aborted before the call", async () => {
    const service = await serve(thing);
    const accessToken = vi.fn(() => "a-token");
    const error = await failureOf(
      tinyClient({ baseUrl: service.baseUrl, accessToken }).read("t1", { signal: AbortSignal.abort(reason) }),
    );
    expect(error).toMatchObject({ name: "AbortedError", operation: "things:read" });
    expect(error.message).toBe("things:read: aborted by its signal");
    expect(error.cause).toBe(reason);
    expect([service.seen.length, accessToken.mock.calls.length]).toEqual([0, 0]);
  });

  it.each([
    ["for the headers", stall, "for the answer"],
    ["for the body", stallBody(), "for the body"],
    ["for the body of a failure", stallBody(404), "for the body"],
    ["to try again", json(503, {}, { "retry-after": "60" }), "for the next attempt"],
  ] as const)("ends a call at once while it waits %s", async (_, reply, waits) => {
    const service = await serve(reply);
    const { signal, hooks } = abortedWhile(waits, service);
    // Only the abort ends the call before the test times out.
    const client = tinyClient({ baseUrl: service.baseUrl, hooks, timeout: 60_000 });
    const error = await failureOf(client.read("t1", { signal }));
    expect(error.name).toBe("AbortedError");
    expect(error.cause).toBe(reason);
    expect(service.seen).toHaveLength(1);
  });

  it("ends a call that waits for a token, and sends nothing", async () => {
    const service = await serve(thing);
    let give: (token: string) => void = () => {};
    const controller = new AbortController();
    const accessToken = (): Promise<string> => {
      setImmediate(() => controller.abort(reason));
      return new Promise((resolve) => (give = resolve));
    };
    const error = await failureOf(
      tinyClient({ baseUrl: service.baseUrl, accessToken }).read("t1", { signal: controller.signal }),
    );
    expect(error.name).toBe("AbortedError");
    give("too-late-token");
    await tinyClient({ baseUrl: service.baseUrl }).read("t2");
    expect(service.seen.map(({ url }) => url)).toEqual(["/v1/things/t2"]);
  });

  it("ends a call that its own token function aborts", async () => {
    const controller = new AbortController();
    const accessToken = (): Promise<string> => {
      controller.abort(reason);
      return new Promise(() => {});
    };
    const error = await failureOf(tinyClient({ accessToken }).read("t1", { signal: controller.signal }));
    expect(error).toMatchObject({ name: "AbortedError", cause: reason });
  });

  it("ends a call whose onRetry hook never ends", async () => {
    const service = await serve(json(503, {}));
    const controller = new AbortController();
    const hooks = {
      onRetry: (): Promise<void> => {
        setImmediate(() => controller.abort(reason));
        return new Promise(() => {});
      },
    };
    const { signal } = controller;
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl, hooks }).read("t1", { signal }));
    expect(error.cause).toBe(reason);
  });

  it("ends a call while the onRetry hook runs", async () => {
    const controller = new AbortController();
    const service = await serve(json(503, {}));
    const hooks = { onRetry: (): void => controller.abort(reason) };
    const error = await failureOf(
      tinyClient({ baseUrl: service.baseUrl, hooks }).read("t1", { signal: controller.signal }),
    );
    expect(error.cause).toBe(reason);
    expect(service.seen).toHaveLength(1);
  });

  it("without a reason makes the platform's default the cause", async () => {
    const error = await failureOf(tinyClient().read("t1", { signal: AbortSignal.abort() }));
    expect(error).toMatchObject({ name: "AbortedError", cause: { name: "AbortError" } });
  });

  it("has no effect after the call", async () => {
    const controller = new AbortController();
    const service = await serve(thing);
    const call = tinyClient({ baseUrl: service.baseUrl }).read("t1", { signal: controller.signal });
    const data = await call;
    controller.abort(reason);
    expect(await call).toBe(data);
  });

  it.each([
    ["an AbortSignal.timeout()", (signal: AbortSignal) => signal],
    ["one of several signals", (signal: AbortSignal) => AbortSignal.any([signal, new AbortController().signal])],
  ])("of which the time is over gives a TimeoutError and no retry: %s", async (_, make) => {
    const service = await serve(stall);
    const onRetry = vi.fn();
    const client = tinyClient({ baseUrl: service.baseUrl, hooks: { onRetry } });
    const error = await failureOf(client.read("t1", { signal: make(AbortSignal.timeout(300)) }));
    expect(error).toMatchObject({ name: "TimeoutError", timeout: undefined, cause: { name: "TimeoutError" } });
    expect(error.message).toBe("things:read: its signal timed out");
    // On a busy machine, the time may be over before the request arrives.
    expect(service.seen.length).toBeLessThanOrEqual(1);
    expect(onRetry).not.toHaveBeenCalled();
  });

  it("of which the time is over gives no reason for not retrying", async () => {
    const client = tinyClient({ baseUrl: (await serve(stall)).baseUrl });
    const error = await failureOf(client.add({ size: 1 }, { signal: AbortSignal.timeout(100) }));
    expect(error.message).toBe("things:add: its signal timed out");
  });

  it.each([
    ["the body of a failure", stallBody(404), "onResponse"],
    ["the next attempt", json(503, {}, { "retry-after": "60" }), "onRetry"],
  ] as const)("of which the time is over ends the wait for %s", async (_, reply, hook) => {
    const service = await serve(reply);
    const controller = new AbortController();
    const over = (): void => void setImmediate(() => controller.abort(new DOMException("late", "TimeoutError")));
    const client = tinyClient({ baseUrl: service.baseUrl, hooks: { [hook]: over }, timeout: 60_000 });
    const error = await failureOf(client.read("t1", { signal: controller.signal }));
    expect(error).toMatchObject({ name: "TimeoutError", timeout: undefined, cause: { message: "late" } });
    expect(service.seen).toHaveLength(1);
  });

  it("has no listener left after a call, however it ended", async () => {
    const { signal } = new AbortController();
    const unavailable = json(503, {}, { "retry-after": "0" });
    const service = await serve(thing, unavailable, thing, json(404, {}), unavailable, unavailable, unavailable, stall);
    const client = tinyClient({ baseUrl: service.baseUrl });
    for (let calls = 0; calls < 5; calls++) await client.read("t1", { signal, timeout: 100 }).safe();
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});

describe("a completed call", () => {
  it("leaves no timer", async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const fetch = async (): Promise<Response> => new Response(null, { status: 404 });
    const before = timers();
    await Promise.all(Array.from({ length: 20 }, () => tinyClient({ fetch }).read("t1").safe()));
    expect(timers()).toBeLessThanOrEqual(before);
  });

  it("leaves no timer of an aborted delay", async () => {
    stopTime();
    const controller = new AbortController();
    const { signal } = controller;
    const fetch = async () => new Response(null, { status: 503, headers: { "retry-after": "60" } });
    const hooks = { onRetry: () => void setImmediate(() => controller.abort(reason)) };
    const error = await failureOf(tinyClient({ fetch, hooks }).read("t1", { signal }));
    expect(error.name).toBe("AbortedError");
    expect(vi.getTimerCount()).toBe(0);
  });
});
