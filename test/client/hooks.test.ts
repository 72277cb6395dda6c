import { describe, expect, it, vi } from "vitest";
import type { AttemptFacts, CallEnd, Hooks, LogLevel, Outcome } from "../../src/client/index.ts";
import { NetworkError } from "../../src/errors/index.ts";
import { clientOf, closedPort, failureOf, json, respond, thing } from "./service.ts";
import { THING, TOKEN, tinyClient } from "./tiny-contract.ts";

const unavailable = json(503, { error: "Busy" }, { "retry-after": "0" });

/** Creates hooks that record the ends of attempts and calls. */
function observer() {
  const attempts: (AttemptFacts & Outcome)[] = [];
  const calls: CallEnd[] = [];
  const hooks: Hooks = {
    onAttemptEnd: (end) => void attempts.push(end),
    onCallEnd: (end) => void calls.push(end),
  };
  return { hooks, attempts, calls };
}

describe("hooks", () => {
  it("are called for each attempt, with its number and without a credential, and can add a header to it", async () => {
    const log: unknown[] = [];
    const hooks: Hooks = {
      onRequest: ({ headers, ...attempt }) => {
        log.push("request", attempt, [...headers]);
        headers.set("x-attempt", String(attempt.attempt));
      },
      onRetry: ({ error, ...attempt }) => void log.push("retry", attempt, error.message),
    };
    const options = { hooks, headers: { "User-Agent": "blue" } };
    const { client, baseUrl, seen } = await clientOf([unavailable, thing], options);
    await client.read("t1");
    expect(seen.map(({ headers }) => headers["x-attempt"])).toEqual(["1", "2"]);
    const ids = { callId: expect.any(String) as string, attemptId: expect.any(String) as string };
    const facts = { ...ids, operation: "things:read", method: "GET", url: `${baseUrl}/v1/things/t1` };
    const request = (attempt: number) => ["request", { ...facts, attempt }, [["user-agent", "blue"]]];
    expect(log).toEqual([
      ...request(1),
      ...["retry", { ...facts, attempt: 1 }, "things:read: 503 Busy"],
      ...request(2),
    ]);
    expect(JSON.stringify(log)).not.toContain(TOKEN);
  });

  it("cannot change the token, the version and the accepted type", async () => {
    const names = ["Service-Version", "authorization", "Accept"];
    const hooks: Hooks = { onRequest: ({ headers }) => names.forEach((name) => void headers.set(name, "mine")) };
    const { client, seen } = await clientOf(thing, { hooks });
    await client.read("t1");
    const headers = { authorization: `Bearer ${TOKEN}`, "service-version": "2020-01", accept: "application/json" };
    expect(seen[0]?.headers).toMatchObject(headers);
  });

  it.each(["onRequest", "onRetry"] as const)(
    "fail the call with the error that they throw, even one of the package, and are not retried: %s",
    async (name) => {
      for (const veto of [new Error("not today"), new NetworkError("of another call")]) {
        const hook = vi.fn(() => {
          throw veto;
        });
        const { client, seen } = await clientOf([unavailable, thing], { hooks: { [name]: hook } });
        expect(await failureOf(client.read("t1"))).toBe(veto);
        expect(hook).toHaveBeenCalledOnce();
        expect(seen).toHaveLength(name === "onRequest" ? 0 : 1);
      }
    },
  );
});

describe("the identifiers of calls and attempts", () => {
  it("distinguish two equal concurrent calls in every hook", async () => {
    const seen: AttemptFacts[] = [];
    const note = (facts: AttemptFacts) => void seen.push(facts);
    const hooks: Hooks = { onRequest: note, onAttemptEnd: note, onRetry: note };
    const { client } = await clientOf([unavailable, unavailable, thing], { hooks });
    await Promise.all([client.read("t1"), client.read("t1")]);
    const calls = Map.groupBy(seen, ({ callId }) => callId);
    expect(calls.size).toBe(2);
    for (const one of calls.values()) expect(one.map(({ attempt }) => attempt)).toEqual([1, 1, 1, 2, 2]);
    expect(Map.groupBy(seen, ({ attempt, attemptId }) => `${attempt} ${attemptId}`).size).toBe(4);
    expect(Map.groupBy(seen, ({ attemptId }) => attemptId).size).toBe(4);
  });

  it("differ between processes", async () => {
    const { hooks, calls } = observer();
    for (const _process of [1, 2]) {
      vi.resetModules();
      const { tinyClient: newClient } = await import("./tiny-contract.ts");
      await newClient({ hooks, fetch: async () => respond() }).read("t1");
    }
    const [one, other] = calls.map(({ callId }) => callId);
    for (const id of [one, other]) expect(id).toMatch(/^\w+-1$/);
    expect(one).not.toBe(other);
  });
});

describe("onAttemptEnd and onCallEnd", () => {
  it("report a failing token function, a throwing hook and an aborted signal, but no invalid argument", async () => {
    const { hooks, attempts, calls } = observer();
    await failureOf(tinyClient({ hooks, accessToken: () => Promise.reject(new Error("sealed")) }).read("t1"));
    await tinyClient({ hooks: { ...hooks, onRequest: () => Promise.reject("not today") } })
      .read("t1")
      .safe();
    const controller = new AbortController();
    const { client } = await clientOf(unavailable, { hooks: { ...hooks, onRetry: () => controller.abort() } });
    for (const _ of [1, 2]) await failureOf(client.read("t1", { signal: controller.signal }));
    await failureOf(client.read(""));
    expect(attempts.map(({ error }) => error?.message)).toEqual([
      expect.stringContaining("accessToken function failed"),
      "not today",
      "things:read: 503 Busy",
    ]);
    expect(calls.map(({ error, ...call }) => [call.attempts, error?.name])).toEqual([
      [1, "AccessTokenError"],
      [1, "Error"],
      [1, "AbortedError"],
      [0, "AbortedError"],
    ]);
  });

  it("that fail are logged as a warning, and the call goes on", async () => {
    const logger = { debug: vi.fn(), warn: vi.fn() };
    const hooks: Hooks = {
      onAttemptEnd: () => {
        throw new Error("no span");
      },
      onCallEnd: async () => Promise.reject(Object.create(null)),
    };
    const { client } = await clientOf(thing, { hooks, logger });
    expect(await client.read("t1")).toEqual(THING);
    await expect
      .poll(() => logger.warn.mock.calls.map(([message]) => message as string))
      .toEqual(["a hook failed: no span", "a hook failed: an unreadable value of type object"]);
  });
});

describe("the logger", () => {
  const mismatch = json(200, { ...THING, size: "3" });

  it("receives every attempt and retry, without a credential", async () => {
    const logger = { debug: vi.fn(), warn: vi.fn() };
    await (await clientOf([unavailable, thing], { logger })).client.read("t1");
    await failureOf(tinyClient({ baseUrl: await closedPort(), logger, maxRetries: 0 }).read("t1"));
    expect(logger.debug.mock.calls).toEqual([
      ["things:read: 503", expect.objectContaining({ attempt: 1, status: 503, method: "GET" })],
      ["things:read: 503 Busy; retrying", expect.objectContaining({ attempt: 1 })],
      ["things:read: 200", expect.objectContaining({ attempt: 2, status: 200 })],
      [
        expect.stringMatching(/^things:read: the connection failed/),
        expect.objectContaining({ attempt: 1, status: undefined }),
      ],
    ]);
    expect(JSON.stringify(logger.debug.mock.calls)).not.toContain(TOKEN);
    expect(logger.warn).not.toHaveBeenCalled();
  });

  it("does not fail the call, or the process, when it throws or rejects", async () => {
    const fail = (): never => {
      throw new Error("disk full");
    };
    const logger = { debug: fail, warn: async () => fail() };
    const { client } = await clientOf(mismatch, { logger, onResponseMismatch: "warn" });
    expect(await client.read("t1")).toEqual({ ...THING, size: "3" });
  });

  it.each<[LogLevel | undefined, own: boolean, debugs: number, warnings: number]>([
    [undefined, true, 1, 1],
    ["warn", true, 0, 1],
    ["off", true, 0, 0],
    [undefined, false, 0, 1],
    ["debug", false, 1, 1],
    ["off", false, 0, 0],
  ])("with logLevel %s, own: %s, receives %i debug messages and %i warnings", async (logLevel, own, ...counts) => {
    const spies = [vi.spyOn(console, "debug").mockReturnValue(), vi.spyOn(console, "warn").mockReturnValue()] as const;
    const [debug, warn] = own ? [vi.fn(), vi.fn()] : spies;
    const logger = own ? { debug, warn } : undefined;
    await (await clientOf(mismatch, { logger, logLevel, onResponseMismatch: "warn" })).client.read("t1");
    expect([debug.mock.calls.length, warn.mock.calls.length]).toEqual(counts);
  });
});
