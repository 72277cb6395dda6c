import { describe, expect, it, vi } from "vitest";
import type { AttemptFacts, CallEnd, Hooks, Outcome } from "../../src/client/index.ts";
import { run } from "../isolation/workspace.ts";
import { closedPort, failureOf, json, reset, serve, stall, text, thing } from "./service.ts";
import { THING, TOKEN, tinyClient } from "./tiny-contract.ts";

const unavailable = json(503, { error: "Busy" }, { "retry-after": "0" });

/** Creates hooks that record their arguments. */
function observer(): { hooks: Hooks; attempts: (AttemptFacts & Outcome)[]; calls: CallEnd[] } {
  const attempts: (AttemptFacts & Outcome)[] = [];
  const calls: CallEnd[] = [];
  const hooks = {
    onAttemptEnd: (end: AttemptFacts & Outcome) => void attempts.push(end),
    onCallEnd: (end: CallEnd) => void calls.push(end),
  };
  return { hooks, attempts, calls };
}

describe("the identifiers of calls and attempts", () => {
  it("distinguish two equal concurrent calls in every hook", async () => {
    const service = await serve(unavailable, unavailable, thing);
    const seen: { hook: string; callId: string; attemptId: string; attempt: number }[] = [];
    const note =
      (hook: string) =>
      ({ callId, attemptId, attempt }: AttemptFacts): void =>
        void seen.push({ hook, callId, attemptId, attempt });
    const names = ["onRequest", "onResponse", "onRetry", "onAttemptEnd"];
    const hooks: Hooks = Object.fromEntries(names.map((name) => [name, note(name)]));
    const client = tinyClient({ baseUrl: service.baseUrl, hooks });
    await Promise.all([client.read("t1"), client.read("t1")]);
    const ids = new Set(seen.map(({ callId }) => callId));
    expect(ids.size).toBe(2);
    for (const id of ids) {
      const one = seen.filter(({ callId }) => callId === id);
      expect(new Set(one.map(({ hook }) => hook))).toEqual(new Set(names));
      expect(new Set(one.map(({ attempt }) => attempt))).toEqual(new Set([1, 2]));
      expect(new Set(one.map(({ attempt, attemptId }) => `${attempt} ${attemptId}`)).size).toBe(2);
    }
    expect(new Set(seen.map(({ attemptId }) => attemptId)).size).toBe(4);
  });

  it("differ between processes", async () => {
    const { hooks, calls } = observer();
    const fetch = async () => new Response(null, { status: 404 });
    await tinyClient({ fetch, hooks }).read("t1").safe();
    const program = `
      import { createClient } from ${JSON.stringify(new URL("../../versions/2025-01/index.ts", import.meta.url))};
      const hooks = { onCallEnd: ({ callId }) => console.log(callId) };
      await createClient({ accessToken: "token", fetch: ${fetch}, hooks }).products.list().safe();
    `;
    const { output } = await run(process.execPath, ["--input-type=module", "--eval", program], process.cwd());
    expect(output).toMatch(/^\w+-1\n$/);
    expect(calls[0]?.callId.split("-")[0]).not.toBe(output.split("-")[0]);
  });
});

describe("onAttemptEnd and onCallEnd", () => {
  it("are called at the end of each attempt, and once at the end of the call", async () => {
    const service = await serve(unavailable, thing);
    const { hooks, attempts, calls } = observer();
    await tinyClient({ baseUrl: service.baseUrl, hooks }).read("t1");
    const url = `${service.baseUrl}/v1/things/t1`;
    const facts = { callId: calls[0]?.callId, operation: "things:read", method: "GET", url };
    expect(attempts).toMatchObject([
      { ...facts, attempt: 1, status: 503, error: { name: "ApiError", status: 503 } },
      { ...facts, attempt: 2, status: 200, error: undefined },
    ]);
    expect(calls).toMatchObject([{ ...facts, attempts: 2, status: 200, error: undefined }]);
    const [first, second] = attempts.map(({ duration }) => duration);
    expect(calls[0]?.duration).toBeGreaterThanOrEqual((first ?? Number.NaN) + (second ?? Number.NaN));
    expect(JSON.stringify([attempts, calls])).not.toContain(TOKEN);
  });

  it.each([
    [
      "a failure of the service",
      async () => (await serve(json(404, { error: "Gone", detail: "" }))).baseUrl,
      404,
      "ApiError",
    ],
    ["an answer of another shape", async () => (await serve(text(200, "<p>"))).baseUrl, 200, "ResponseMismatchError"],
    [
      "another version",
      async () => (await serve(json(200, {}, { "service-version": "1" }))).baseUrl,
      200,
      "VersionMismatchError",
    ],
    ["a lost connection", closedPort, undefined, "NetworkError"],
    ["no answer in time", async () => (await serve(stall)).baseUrl, undefined, "TimeoutError"],
  ])("tell of a call that ends in %s", async (_, address, status, name) => {
    const { hooks, attempts, calls } = observer();
    const client = tinyClient({ baseUrl: await address(), hooks, maxRetries: 0, timeout: 300 });
    const error = await failureOf(client.read("t1"));
    expect(error.name).toBe(name);
    expect(attempts).toMatchObject([{ attempt: 1, status }]);
    expect(calls).toMatchObject([{ attempts: 1, status }]);
    expect([attempts[0]?.error, calls[0]?.error]).toEqual([error, error]);
  });

  it("report a failing token function, a throwing hook and an aborted signal", async () => {
    const service = await serve(unavailable);
    const { hooks, attempts, calls } = observer();
    const accessToken = (): string => {
      throw new Error("vault is sealed");
    };
    await failureOf(tinyClient({ hooks, accessToken }).read("t1"));
    const veto = new Error("not today");
    await failureOf(tinyClient({ hooks: { ...hooks, onRequest: () => Promise.reject(veto) } }).read("t1"));
    expect([attempts[1]?.error, calls[1]?.error]).toEqual([veto, veto]);
    const controller = new AbortController();
    const abort = { ...hooks, onRetry: () => controller.abort() };
    const { baseUrl } = service;
    await failureOf(tinyClient({ baseUrl, hooks: abort }).read("t1", { signal: controller.signal }));
    await failureOf(tinyClient({ hooks }).read("t1", { signal: controller.signal }));
    expect(attempts.map(({ error }) => error?.name)).toEqual(["AccessTokenError", "Error", "ApiError"]);
    expect(calls.map(({ attempts: made, error }) => [made, error?.name])).toEqual([
      [1, "AccessTokenError"],
      [1, "Error"],
      [1, "AbortedError"],
      [0, "AbortedError"],
    ]);
  });

  it("report no status for an attempt without a response, even after one with a response", async () => {
    const service = await serve(unavailable, reset);
    const { hooks, attempts, calls } = observer();
    await failureOf(tinyClient({ baseUrl: service.baseUrl, hooks, maxRetries: 1 }).read("t1"));
    expect(attempts.map(({ status }) => status)).toEqual([503, undefined]);
    expect(calls).toMatchObject([{ attempts: 2, status: undefined, error: { name: "NetworkError" } }]);
  });

  it("receive an Error if another hook throws a value of another type", async () => {
    const { hooks, attempts, calls } = observer();
    const onRequest = () => Promise.reject("not today");
    expect(
      await tinyClient({ hooks: { ...hooks, onRequest } })
        .read("t1")
        .safe(),
    ).toMatchObject({ error: "not today" });
    const error = { message: "a hook threw a value of type string", cause: "not today" };
    expect([attempts, calls]).toMatchObject([[{ error }], [{ error }]]);
  });

  it("that fail are logged as a warning, and the call goes on", async () => {
    const service = await serve(unavailable, thing);
    const logger = { debug: vi.fn(), warn: vi.fn() };
    const hooks: Hooks = {
      onAttemptEnd: () => {
        throw new Error("no span");
      },
      onCallEnd: async () => Promise.reject(new Error("no exporter")),
    };
    expect(await tinyClient({ baseUrl: service.baseUrl, hooks, logger }).read("t1")).toEqual(THING);
    await expect
      .poll(() => logger.warn.mock.calls.map(([message]) => message as string))
      .toEqual(["a hook failed: Error: no span", "a hook failed: Error: no span", "a hook failed: Error: no exporter"]);
  });

  it("are not called for a call with an invalid argument", async () => {
    const { hooks, attempts, calls } = observer();
    await failureOf(tinyClient({ hooks }).read(""));
    expect([attempts, calls]).toEqual([[], []]);
  });
});
