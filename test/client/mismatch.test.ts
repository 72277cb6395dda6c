import { inspect } from "node:util";
import { describe, expect, it, vi } from "vitest";
import { isResponseMismatchError, type ResponseMismatchError } from "../../src/errors/index.ts";
import { failureOf, json, serve, text, thing } from "./service.ts";
import { THING, tinyClient } from "./tiny-contract.ts";

async function mismatchOf(body: string): Promise<ResponseMismatchError> {
  const service = await serve(text(200, body, { "content-type": "application/json" }));
  const error = await failureOf(tinyClient({ baseUrl: service.baseUrl }).read("t1"));
  if (!isResponseMismatchError(error)) throw error;
  return error;
}

describe("a response that is not JSON", () => {
  it.each([
    ["empty", "", "received nothing"],
    ["white space", " \n", "received nothing"],
    ["HTML", "<!doctype html><p>Log in</p>", "received HTML"],
    ["cut short", '{"id":"t1","si', "received invalid JSON"],
    ["plain text", "OK", "received other text"],
  ])("%s is a mismatch that holds the text", async (_, body, says) => {
    const error = await mismatchOf(body);
    expect(error).toMatchObject({ operation: "things:read", status: 200, value: body, cause: { name: "SyntaxError" } });
    expect(error.mismatches).toEqual([{ path: "", message: expect.stringContaining(says) as string }]);
    expect(error.message).toContain("body: expected JSON");
  });

  it("is not retried", async () => {
    const service = await serve(text(200, "<html>"), thing);
    await failureOf(tinyClient({ baseUrl: service.baseUrl }).read("t1"));
    expect(service.seen).toHaveLength(1);
  });
});

describe("a response of another shape", () => {
  it.each([
    [{ ...THING, id: 7 }, "id", "expected string, received number"],
    [{ ...THING, size: undefined }, "size", "expected number, received nothing"],
    [{ ...THING, size: null }, "size", "expected number, received null"],
    [{ ...THING, tags: ["a", {}] }, "tags[1]", "expected string, received object"],
    [{ ...THING, owner: { kind: "team", title: 3 } }, "owner.title", "expected string, received number"],
    [{ ...THING, owner: [] }, "owner", "expected object, received array"],
    [[], "", "expected object, received array"],
    [null, "", "expected object, received null"],
  ])("%j does not match at %s", async (body, path, message) => {
    const error = await mismatchOf(JSON.stringify(body));
    expect(error.mismatches).toEqual([{ path, message }]);
    expect(error.message).toBe(
      `things:read: the response (200) does not match version 2020-01: ${path || "body"}: ${message}`,
    );
    expect(error.value).toEqual(JSON.parse(JSON.stringify(body)));
    expect(error.cause).toBeInstanceOf(Error);
  });

  it("lists three mismatches in its message and all in `mismatches`", async () => {
    const error = await mismatchOf(JSON.stringify({ ...THING, tags: [1, 2, 3, 4, 5] }));
    expect(error.mismatches).toHaveLength(5);
    expect(error.message).toMatch(/tags\[0\].*tags\[1\].*tags\[2\][^[]*; and 2 more$/);
  });

  it("lists at most 100 mismatches, and counts all", async () => {
    const error = await mismatchOf(JSON.stringify({ ...THING, tags: new Array(150).fill(1) }));
    expect(error.mismatches).toHaveLength(100);
    expect(error.message).toMatch(/; and 147 more$/);
    expect(error.cause).toEqual(new Error("150 mismatches with the contract"));
  });

  it("counts no further mismatches when there are three", async () => {
    const error = await mismatchOf(JSON.stringify({ ...THING, tags: [1, 2, 3] }));
    expect(error.message).toMatch(/tags\[2\]: expected string, received number$/);
  });

  it("exposes the received value only in `value`", async () => {
    const error = await mismatchOf(JSON.stringify({ ...THING, size: "hidden-value" }));
    expect(JSON.stringify(error) + inspect(error)).not.toContain("hidden-value");
  });
});

describe("onResponseMismatch", () => {
  const wrong = { ...THING, size: "3", more: 1 };

  it("warn returns the received value and logs a warning", async () => {
    const service = await serve(json(200, wrong));
    const logger = { debug: vi.fn(), warn: vi.fn() };
    const data = await tinyClient({ baseUrl: service.baseUrl, logger, onResponseMismatch: "warn" }).read("t1");
    expect(data).toEqual(wrong);
    expect(logger.warn).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining("size: expected number, received string"),
      expect.objectContaining({ name: "ResponseMismatchError", status: 200 }),
    );
  });

  it("warn logs to the console without a logger", async () => {
    const spy = vi.spyOn(console, "warn").mockImplementation(() => {});
    const service = await serve(json(200, wrong));
    await tinyClient({ baseUrl: service.baseUrl, onResponseMismatch: "warn" }).read("t1");
    expect(spy).toHaveBeenCalledOnce();
    spy.mockRestore();
  });

  it("ignore returns the received value, or the text if it is not JSON, and logs nothing", async () => {
    const service = await serve(json(200, wrong), text(200, "<p>"));
    const logger = { debug: vi.fn(), warn: vi.fn() };
    const client = tinyClient({ baseUrl: service.baseUrl, logger, onResponseMismatch: "ignore" });
    expect(await client.read("t1")).toEqual(wrong);
    expect(await client.read("t1")).toBe("<p>");
    expect(logger.warn).not.toHaveBeenCalled();
  });

  it("covers invalid JSON in client.request", async () => {
    const broken = text(200, "{", { "content-type": "application/json" });
    const service = await serve(broken);
    expect(await failureOf(tinyClient({ baseUrl: service.baseUrl }).request("GET", "/v1/x"))).toMatchObject({
      name: "ResponseMismatchError",
      operation: "GET /v1/x",
    });
    const lenient = tinyClient({ baseUrl: service.baseUrl, onResponseMismatch: "ignore" });
    expect(await lenient.request("GET", "/v1/x")).toBe("{");
  });
});
