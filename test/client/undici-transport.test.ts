import { createRequire } from "node:module";
import * as zlib from "node:zlib";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { undiciTransport } from "../../src/undici.ts";
import { failureOf, json, type Reply, serve, thing, thrownBy } from "./service.ts";
import { THING, tinyClient } from "./tiny-contract.ts";
import { clientOf, noConnections } from "./undici-client.ts";

/** Responds with a thing after the bytes went through an encoder. */
function encoded(coding: string, encode: (text: string) => Uint8Array): Reply {
  return (response) => {
    response.writeHead(200, {
      "content-type": "application/json",
      "service-version": "2020-01",
      "content-encoding": coding,
    });
    response.end(encode(JSON.stringify(THING)));
  };
}

describe("the body of a response through undici", () => {
  const { gzipSync, deflateSync, deflateRawSync, brotliCompressSync, zstdCompressSync } = zlib;

  it.each<[coding: string, encode: (text: string) => Uint8Array]>([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["deflate without its header", deflateRawSync],
    ["deflate, gzip", (text) => gzipSync(deflateRawSync(text))],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
    ["GZIP", gzipSync],
    ["gzip, br", (text) => brotliCompressSync(gzipSync(text))],
    ["gzip without its last bytes", (text) => gzipSync(text).subarray(0, -8)],
    ["unknown", (text) => Buffer.from(text)],
  ])("is decoded from %s", async (coding, encode) => {
    const service = await serve(encoded(coding.split(" without")[0] ?? "", encode));
    expect(await clientOf(service).read("t1")).toEqual(THING);
    expect(service.seen[0]?.headers["accept-encoding"]).toBe("gzip, deflate, br, zstd");
  });

  it("that has too many codings causes a NetworkError", async () => {
    const service = await serve(encoded("gzip,gzip,gzip,gzip,gzip,gzip", gzipSync));
    const error = await failureOf(clientOf(service).read("t1"));
    expect(error).toMatchObject({ name: "NetworkError" });
    expect(error.message).toContain("6 content codings");
    await noConnections(service.server);
  });

  it("is not compressed if a header says so", async () => {
    const service = await serve(thing);
    await clientOf(service).read("t1", { headers: { "Accept-Encoding": "identity" } });
    expect(service.seen[0]?.headers["accept-encoding"]).toBe("identity");
  });
});

describe("a Response of a call through undici", () => {
  it("has the status, the headers and the address", async () => {
    const service = await serve(json(200, THING, { "set-cookie": ["a=1", "b=2"] as never, "x-request-id": "r1" }));
    const { response } = await clientOf(service).read("t1").withResponse();
    expect(response).toMatchObject({ status: 200, ok: true, url: `${service.baseUrl}/v1/things/t1` });
    expect(response.headers.get("x-request-id")).toBe("r1");
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
  });

  it("encodes a path like fetch does", async () => {
    const service = await serve(thing);
    await clientOf(service).request("GET", "/v1/ü?q=é");
    expect(service.seen[0]?.url).toBe("/v1/%C3%BC?q=%C3%A9");
  });
});

describe("an undici transport", () => {
  it("waits for calls in progress when it is closed, and closes its connections", async () => {
    const service = await serve((response, request) => void setTimeout(() => thing(response, request), 30));
    const transport = undiciTransport();
    const call = clientOf(service, transport).read("t1");
    await service.replied(1);
    await transport.close();
    expect(await call).toEqual(THING);
    await noConnections(service.server);
    await transport.close();
  });

  it("is closed at the end of an `await using` block", async () => {
    const service = await serve(thing);
    const transport = undiciTransport();
    await clientOf(service, transport).read("t1");
    await transport[Symbol.asyncDispose]();
    await noConnections(service.server);
  });

  it("rejects calls after it was closed, without a retry", async () => {
    const transport = undiciTransport();
    await transport.close();
    const onRetry = vi.fn();
    const error = await failureOf(tinyClient({ transport, hooks: { onRetry } }).read("t1"));
    expect(error).toMatchObject({ name: "InvalidInputError", path: "transport" });
    expect(error.message).toBe("things:read: transport is closed; create another one with undiciTransport");
    expect(onRetry).not.toHaveBeenCalled();
  });

  it("uses the dispatcher that it gets, and leaves it open", async () => {
    const { Agent } = await import("undici");
    const service = await serve(thing);
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.destroy());
    const transport = undiciTransport({ dispatcher });
    await clientOf(service, transport).read("t1");
    await transport.close();
    expect(dispatcher.closed).toBe(false);
    expect(Object.keys(dispatcher.stats)).toEqual([service.baseUrl]);
  });

  it("works with undici 7", async () => {
    /** The version that miniflare brings along. */
    const undici7: object = createRequire(createRequire(import.meta.url).resolve("miniflare"))("undici");
    const load = vi.fn(() => undici7);
    vi.doMock("undici", load);
    onTestFinished(() => void vi.doUnmock("undici"));
    const service = await serve(encoded("gzip", zlib.gzipSync));
    expect(await clientOf(service).read("t1")).toEqual(THING);
    expect(load).toHaveBeenCalledOnce();
  });

  it("explains that undici is not installed", async () => {
    vi.doMock("undici", () => {
      throw new Error("Cannot find package 'undici'");
    });
    onTestFinished(() => void vi.doUnmock("undici"));
    const error = await failureOf(tinyClient({ transport: undiciTransport() }).read("t1"));
    expect(error).toMatchObject({ name: "InvalidInputError", path: "transport", cause: expect.any(Error) as Error });
    expect(error.message).toBe(
      "undiciTransport: undici 7 or 8 could not be loaded. Install it with `npm install undici`",
    );
  });

  it.each([
    [{ connections: 0 }, "undiciTransport: connections must be an integer from 1 to 65536; received 0"],
    [{ connections: "64" }, 'undiciTransport: connections must be an integer from 1 to 65536; received "64"'],
    [{ connectTimeout: -1 }, "undiciTransport: connectTimeout must be an integer from 1 to 2147483647; received -1"],
    [{ dispatcher: {} }, "undiciTransport: dispatcher.request must be a function; received undefined"],
    [{ conections: 5 }, 'undiciTransport: unknown option "conections". Did you mean "connections"?'],
    [null, "undiciTransport: options must be an object; received null"],
  ])("rejects the options %j", (options, message) => {
    expect(thrownBy(() => undiciTransport(options as never))).toMatchObject({ name: "InvalidInputError", message });
  });

  it("rejects another option beside a dispatcher", () => {
    const options = { connections: 5, dispatcher: { request: async () => ({}) as never } };
    expect(thrownBy(() => undiciTransport(options)).message).toBe(
      "undiciTransport: connections must not be used together with dispatcher; set it on the dispatcher",
    );
  });

  it("ignores properties of Object.prototype", async () => {
    const service = await serve(thing);
    const dispatcher = { request: vi.fn() };
    Object.defineProperty(Object.prototype, "dispatcher", { value: dispatcher, configurable: true });
    onTestFinished(() => void Reflect.deleteProperty(Object.prototype, "dispatcher"));
    const transport = undiciTransport({ connections: 2 });
    Reflect.deleteProperty(Object.prototype, "dispatcher");
    expect(await clientOf(service, transport).read("t1")).toEqual(THING);
    await transport.close();
  });
});
