import { describe, expect, it, vi } from "vitest";
import {
  atBody,
  breakBody,
  closedPort,
  endsAfter,
  failureOf,
  passingWaits,
  reset,
  serve,
  stall,
  stallBody,
  stopTime,
  thing,
} from "./service.ts";
import { THING, tinyClient } from "./tiny-contract.ts";

const once = { maxRetries: 0, timeout: 100 };

/** Returns the last cause: `fetch` wraps the error of the connection, and undici does not. */
function innermost(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? innermost(error.cause) : error;
}

describe("a connection that fails", () => {
  it("refused is a NetworkError whose cause names the code", async () => {
    const error = await failureOf(tinyClient({ baseUrl: await closedPort(), maxRetries: 0 }).read("t1"));
    expect(error).toMatchObject({ name: "NetworkError", operation: "things:read" });
    expect(error.message).toContain("ECONNREFUSED");
    expect(innermost(error)).toMatchObject({ code: "ECONNREFUSED" });
  });

  it("to an unknown host is a NetworkError", async () => {
    // A label of more than 63 characters is invalid, so no name server is asked and none can be slow.
    const baseUrl = `http://${"x".repeat(64)}.invalid`;
    const error = await failureOf(tinyClient({ baseUrl, maxRetries: 0 }).read("t1"));
    expect(error.name).toBe("NetworkError");
  });

  it("reset before the answer is a NetworkError", async () => {
    const service = await serve(reset);
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl, maxRetries: 0 }).read("t1"));
    expect(error).toMatchObject({ name: "NetworkError", cause: expect.any(Error) as Error });
  });

  it("lost while the body is read is a NetworkError, not a mismatch", async () => {
    const service = await serve(breakBody());
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl, maxRetries: 0 }).read("t1"));
    expect(error).toMatchObject({ name: "NetworkError", cause: expect.any(Error) as Error });
  });

  it("that does not speak HTTP is a NetworkError", async () => {
    const service = await serve((response) => response.socket?.end("SSH-2.0-OpenSSH_9.6\r\n"));
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl, maxRetries: 0 }).read("t1"));
    expect(error.name).toBe("NetworkError");
  });
});

describe("the timeout", () => {
  it("ends a call without a response", async () => {
    const service = await serve(stall);
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl, ...once }).read("t1"));
    expect(error).toMatchObject({
      name: "TimeoutError",
      timeout: 100,
      operation: "things:read",
      cause: { name: "TimeoutError" },
    });
  });

  it("covers the body", async () => {
    stopTime();
    const service = await serve(stallBody());
    const { hooks, waits } = atBody();
    const failure = failureOf(tinyClient({ baseUrl: service.baseUrl, ...once, hooks }).read("t1"));
    await waits;
    await endsAfter(once.timeout, failure);
    expect(await failure).toMatchObject({ name: "TimeoutError", timeout: 100 });
  });

  it("closes the connection of its attempt", async () => {
    let closed: () => void = () => {};
    const gone = new Promise<void>((resolve) => (closed = resolve));
    stopTime();
    const service = await serve((response) => response.on("close", closed));
    const failure = failureOf(tinyClient({ baseUrl: service.baseUrl, ...once }).read("t1"));
    await service.replied(1);
    await endsAfter(once.timeout, failure);
    await failure;
    await gone;
  });

  it("covers a token function and a hook that never settle", async () => {
    const accessToken = (): Promise<string> => new Promise(() => {});
    expect((await failureOf(tinyClient({ accessToken, ...once }).read("t1"))).name).toBe("TimeoutError");
    const hooks = { onRequest: (): Promise<void> => new Promise(() => {}) };
    expect((await failureOf(tinyClient({ hooks, ...once }).read("t1"))).name).toBe("TimeoutError");
  });

  it("of a call overrides the client's", async () => {
    const service = await serve(stall);
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl, maxRetries: 0 }).read("t1", { timeout: 50 }));
    expect(error).toMatchObject({ name: "TimeoutError", timeout: 50 });
  });

  it("starts again for each attempt", async () => {
    stopTime();
    const service = await serve(stall, (response, request) => {
      vi.advanceTimersByTime(199);
      thing(response, request);
    });
    const client = tinyClient({ baseUrl: service.baseUrl, timeout: 200, maxRetries: 1, hooks: passingWaits });
    const call = client.read("t1");
    await service.replied(1);
    vi.advanceTimersByTime(200);
    expect(await call).toEqual(THING);
    expect(service.seen).toHaveLength(2);
  });
});

describe("a body that cannot be sent", () => {
  const loop: { self?: unknown } = {};
  loop.self = loop;
  it.each([
    ["a BigInt", { size: 1n }, true],
    ["a cycle", { size: loop }, true],
    [
      "a toJSON that throws",
      {
        size: {
          toJSON: () => {
            throw new Error("no");
          },
        },
      },
      true,
    ],
    ["a function", () => {}, false],
    ["a symbol", Symbol("x"), false],
  ])("%s is rejected and nothing is sent", async (_, body, hasCause) => {
    const service = await serve(thing);
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl }).add(body as never));
    expect(error).toMatchObject({ name: "InvalidInputError", path: "body", operation: "things:add" });
    expect(error.cause instanceof Error).toBe(hasCause);
    expect(service.seen).toEqual([]);
  });

  it("includes any body of a GET", async () => {
    expect(await failureOf(tinyClient().request("GET", "/v1/x", { body: {} }))).toMatchObject({ path: "body" });
  });
});
