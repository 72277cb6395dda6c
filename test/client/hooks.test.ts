import { describe, expect, it, vi } from "vitest";
import type { Hooks } from "../../src/client/index.ts";
import { NetworkError } from "../../src/errors/index.ts";
import { failureOf, json, serve, stallBody, thing } from "./service.ts";
import { TOKEN, tinyClient } from "./tiny-contract.ts";

const unavailable = json(503, { error: "Busy" }, { "retry-after": "0" });

describe("hooks", () => {
  it("are called for each attempt, with its number and without a credential", async () => {
    const service = await serve(unavailable, thing);
    const log: unknown[] = [];
    const hooks: Hooks = {
      onRequest: ({ headers, ...attempt }) => void log.push("request", attempt, [...headers]),
      onResponse: ({ headers, duration, ...attempt }) =>
        void log.push("response", attempt, typeof duration, headers.get("service-version")),
      onRetry: ({ error, ...attempt }) => void log.push("retry", attempt, error.message),
    };
    await tinyClient({ baseUrl: service.baseUrl, hooks, headers: { "User-Agent": "blue" } }).read("t1");
    const url = `${service.baseUrl}/v1/things/t1`;
    const ids = { callId: expect.any(String) as string, attemptId: expect.any(String) as string };
    const facts = { ...ids, operation: "things:read", method: "GET", url };
    expect(log).toEqual([
      "request",
      { ...facts, attempt: 1 },
      [["user-agent", "blue"]],
      "response",
      { ...facts, attempt: 1, status: 503 },
      "number",
      "2020-01",
      "retry",
      { ...facts, attempt: 1, delay: 0 },
      "things:read: 503 Busy",
      "request",
      { ...facts, attempt: 2 },
      [["user-agent", "blue"]],
      "response",
      { ...facts, attempt: 2, status: 200 },
      "number",
      "2020-01",
    ]);
    expect(JSON.stringify(log)).not.toContain(TOKEN);
  });

  it("can add a header to a single attempt", async () => {
    const service = await serve(unavailable, thing);
    const hooks: Hooks = { onRequest: ({ headers, attempt }) => headers.append(`x-attempt-${attempt}`, "yes") };
    await tinyClient({ baseUrl: service.baseUrl, hooks }).read("t1");
    expect(service.seen[0]?.headers["x-attempt-1"]).toBe("yes");
    expect(service.seen[1]?.headers).not.toHaveProperty("x-attempt-1");
    expect(service.seen[1]?.headers["x-attempt-2"]).toBe("yes");
  });

  it.each(["Service-Version", "authorization", "Accept", "content-type"])("cannot set %s", async (name) => {
    const service = await serve(thing);
    const hooks: Hooks = { onRequest: ({ headers }) => headers.set(name, "mine") };
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl, hooks }).read("t1"));
    expect(error).toMatchObject({ name: "InvalidInputError", path: `headers["${name.toLowerCase()}"]` });
    expect(service.seen).toEqual([]);
  });

  it.each(["onRequest", "onResponse", "onRetry"] as const)(
    "fail the call with the error that they throw: %s",
    async (name) => {
      const service = await serve(unavailable, thing);
      const veto = new Error("not today");
      const hooks: Hooks = {
        [name]: () => {
          throw veto;
        },
      };
      expect(await failureOf(tinyClient({ baseUrl: service.baseUrl, hooks }).read("t1"))).toBe(veto);
      expect(service.seen).toHaveLength(name === "onRequest" ? 0 : 1);
    },
  );

  it.each(["onRequest", "onResponse", "onRetry"] as const)(
    "are not retried after throwing an error of the package: %s",
    async (name) => {
      const service = await serve(unavailable, thing);
      const veto = new NetworkError("of another call");
      const hook = vi.fn(async () => Promise.reject(veto));
      const hooks: Hooks = { [name]: hook };
      expect(await failureOf(tinyClient({ baseUrl: service.baseUrl, hooks }).read("t1"))).toBe(veto);
      expect(hook).toHaveBeenCalledOnce();
      expect(service.seen).toHaveLength(name === "onRequest" ? 0 : 1);
    },
  );

  it("close the connection of the unread body when they throw", async () => {
    let closed: () => void = () => {};
    const gone = new Promise<void>((resolve) => (closed = resolve));
    const service = await serve((response, request) => {
      response.on("close", closed);
      stallBody()(response, request);
    });
    const hooks: Hooks = { onResponse: async () => Promise.reject(new Error("no")) };
    await failureOf(tinyClient({ baseUrl: service.baseUrl, hooks }).read("t1"));
    await gone;
  });
});
