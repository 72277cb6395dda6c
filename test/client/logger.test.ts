import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Logger } from "../../src/client/index.ts";
import { closedPort, failureOf, json, serve, thing } from "./service.ts";
import { THING, TOKEN, tinyClient } from "./tiny-contract.ts";

const unavailable = json(503, { error: "Busy" }, { "retry-after": "0" });

describe("the logger", () => {
  it("is silent by default", async () => {
    const told = vi.spyOn(console, "debug").mockReturnValue();
    const service = await serve(thing);
    await tinyClient({ baseUrl: service.baseUrl }).read("t1");
    expect(told).not.toHaveBeenCalled();
    told.mockRestore();
  });

  it("receives every attempt and delay, without a credential", async () => {
    const service = await serve(unavailable, thing);
    const logger = { debug: vi.fn(), warn: vi.fn() };
    await tinyClient({ baseUrl: service.baseUrl, logger }).read("t1");
    const messages = logger.debug.mock.calls.map(([message]) => message as string);
    expect(messages).toEqual(["things:read: 503", "things:read: 503 Busy; retrying in 0 ms", "things:read: 200"]);
    expect(logger.debug.mock.calls[2]?.[1]).toMatchObject({ attempt: 2, status: 200, method: "GET" });
    expect(JSON.stringify(logger.debug.mock.calls)).not.toContain(TOKEN);
    expect(logger.warn).not.toHaveBeenCalled();
  });

  it("receives an attempt without a response", async () => {
    const logger = { debug: vi.fn(), warn: vi.fn() };
    await failureOf(tinyClient({ baseUrl: await closedPort(), logger, maxRetries: 0 }).read("t1"));
    expect(logger.debug).toHaveBeenCalledExactlyOnceWith(
      expect.stringMatching(/^things:read: the connection failed/),
      expect.objectContaining({ attempt: 1, status: undefined }),
    );
  });

  it("does not fail the call when it throws", async () => {
    const service = await serve(thing);
    const fail = (): never => {
      throw new Error("disk full");
    };
    expect(await tinyClient({ baseUrl: service.baseUrl, logger: { debug: fail, warn: fail } }).read("t1")).toEqual(
      THING,
    );
  });
});

describe.each([
  ["pino", "bindings"],
  ["bunyan", "addSerializers"],
])("a logger with the order of arguments of %s", (_, mark) => {
  it("gets the details first, then the message", async () => {
    const service = await serve(json(200, { ...THING, size: "3" }));
    const logger: Logger = Object.assign({ debug: vi.fn(), warn: vi.fn() }, { [mark]: () => ({}) });
    await tinyClient({ baseUrl: service.baseUrl, logger, onResponseMismatch: "warn" }).read("t1");
    expect(logger.debug).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ status: 200 }), "things:read: 200");
    expect(logger.warn).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ name: "ResponseMismatchError" }),
      expect.stringContaining("size: expected number"),
    );
  });
});

describe("logLevel", () => {
  it.each([
    ["debug", 1, 1],
    ["warn", 0, 1],
    ["off", 0, 0],
  ] as const)("%s lets %i debug messages and %i warnings through", async (logLevel, debugs, warnings) => {
    const service = await serve(json(200, { ...THING, size: "3" }));
    const logger = { debug: vi.fn(), warn: vi.fn() };
    await tinyClient({ baseUrl: service.baseUrl, logger, logLevel, onResponseMismatch: "warn" }).read("t1");
    expect([logger.debug.mock.calls.length, logger.warn.mock.calls.length]).toEqual([debugs, warnings]);
  });

  it("off also disables warnings on the console", async () => {
    const told = vi.spyOn(console, "warn").mockReturnValue();
    const service = await serve(json(200, { ...THING, size: "3" }));
    await tinyClient({ baseUrl: service.baseUrl, logLevel: "off", onResponseMismatch: "warn" }).read("t1");
    expect(told).not.toHaveBeenCalled();
    told.mockRestore();
  });

  it("debug logs to the console if there is no logger", async () => {
    const told = vi.spyOn(console, "debug").mockReturnValue();
    onTestFinished(() => told.mockRestore());
    const service = await serve(thing);
    await tinyClient({ baseUrl: service.baseUrl, logLevel: "debug" }).read("t1");
    expect(told).toHaveBeenCalledExactlyOnceWith("things:read: 200", expect.objectContaining({ status: 200 }));
    expect(JSON.stringify(told.mock.calls)).not.toContain(TOKEN);
  });

  it("rejects an unknown level", () => {
    expect(() => tinyClient({ logLevel: "verbose" as never })).toThrow('logLevel must be "debug", "warn" or "off"');
  });
});
