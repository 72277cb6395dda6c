import { describe, expect, it, vi } from "vitest";
import { failureOf, json, serve, text } from "./service.ts";
import { THING, tinyClient } from "./tiny-contract.ts";

const other = { "service-version": "2020-04" };

function unversioned(status: number, body: unknown): Parameters<typeof serve>[0] {
  return (response) => response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

describe("the version of a response", () => {
  it("VER-5: fails a successful call when it is not the client's", async () => {
    const service = await serve(json(200, THING, other));
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl }).read("t1"));
    expect(error).toMatchObject({ name: "VersionMismatchError", expected: "2020-01", received: "2020-04" });
    expect(error.message).toBe(
      "things:read: expected version 2020-01, received 2020-04 (status 200). " +
        "Check that baseUrl is the service and that no proxy changes the Service-Version header",
    );
    expect(service.seen).toHaveLength(1);
  });

  it("VER-5: fails a successful call when it is missing", async () => {
    const service = await serve(unversioned(200, THING));
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl }).read("t1"));
    expect(error).toMatchObject({ name: "VersionMismatchError", expected: "2020-01", received: undefined });
  });

  it("VER-5: is reported before an error status other than 404 when it is not the client's", async () => {
    const service = await serve(json(409, { error: "Gone", detail: "" }, other));
    expect(await failureOf(tinyClient({ baseUrl: service.baseUrl }).read("t1"))).toMatchObject({
      name: "VersionMismatchError",
    });
  });

  it("ERR-3, VER-5: a 404 of another version is an ApiError that names the requested version", async () => {
    const service = await serve(json(404, { detail: "Not Found" }, other));
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl }).read("t1"));
    expect(error).toMatchObject({
      name: "ApiError",
      status: 404,
      version: "2020-04",
      rawBody: { detail: "Not Found" },
    });
    expect(error.message).toBe(
      "things:read: 404 Not Found (requested version 2020-01, answered by 2020-04: the service may not support 2020-01)",
    );
  });

  it("is not required for an error status: a proxy's 502", async () => {
    const service = await serve((response) => response.writeHead(502).end("<h1>Bad Gateway</h1>"));
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl, maxRetries: 0 }).read("t1"));
    expect(error).toMatchObject({ name: "ApiError", status: 502, version: undefined, rawBody: "<h1>Bad Gateway</h1>" });
  });

  it("ERR-3: is not required for an error status: the 404 of an unsupported version", async () => {
    const service = await serve(unversioned(404, { detail: "Not Found" }));
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl }).read("t1"));
    expect(error).toMatchObject({
      name: "ApiError",
      status: 404,
      version: undefined,
      body: undefined,
      rawBody: { detail: "Not Found" },
    });
  });

  it("is checked for client.request as well", async () => {
    const service = await serve(text(200, "hello", other));
    expect(await failureOf(tinyClient({ baseUrl: service.baseUrl }).request("GET", "/v1/x"))).toMatchObject({
      name: "VersionMismatchError",
    });
  });
});

describe("onVersionMismatch", () => {
  it("UPG-1: warn returns the data and the actual version, and logs a warning", async () => {
    const service = await serve(json(200, THING, other));
    const logger = { debug: vi.fn(), warn: vi.fn() };
    const client = tinyClient({ baseUrl: service.baseUrl, logger, onVersionMismatch: "warn" });
    expect(await client.read("t1").withResponse()).toMatchObject({ data: THING, version: "2020-04" });
    expect(logger.warn).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining("received 2020-04"),
      expect.objectContaining({ expected: "2020-01", received: "2020-04" }),
    );
  });

  it("ignore logs nothing and does not change an error status", async () => {
    const service = await serve(unversioned(200, THING), json(404, { error: "Gone", detail: "gone" }, other));
    const logger = { debug: vi.fn(), warn: vi.fn() };
    const client = tinyClient({ baseUrl: service.baseUrl, logger, onVersionMismatch: "ignore" });
    expect((await client.read("t1").withResponse()).version).toBeUndefined();
    expect(await failureOf(client.read("t1"))).toMatchObject({ name: "ApiError", status: 404, version: "2020-04" });
    expect(logger.warn).not.toHaveBeenCalled();
  });
});
