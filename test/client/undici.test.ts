import { once } from "node:events";
import type { Server } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { promisify } from "node:util";
import * as zlib from "node:zlib";
import { Agent } from "undici";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type UndiciTransportOptions, undiciTransport } from "../../src/undici.ts";
import { clientOf, failureOf, json, type Reply, thing, thrownBy } from "./service.ts";
import { THING, tinyClient } from "./tiny-contract.ts";

/** Creates a transport that is closed when the test ends. */
function open(options?: UndiciTransportOptions) {
  const transport = undiciTransport(options);
  onTestFinished(() => transport.close());
  return transport;
}

/** Starts a server, and creates a client that sends to it with undici, without retries. Counts the connections. */
async function undiciClient(replies: Reply | Reply[], transport = open()) {
  const service = await clientOf(replies, { transport, maxRetries: 0 });
  let count = 0;
  service.server.on("connection", () => (count += 1));
  return { ...service, connections: () => count };
}

/** Waits until a server has no open connection. */
async function noConnections(server: Server): Promise<void> {
  const count = promisify(server.getConnections.bind(server));
  await expect.poll(() => count()).toBe(0);
}

/** Responds with a thing after the bytes went through an encoder. */
function encoded(coding: string, encode: (text: string) => Uint8Array): Reply {
  const headers = { "content-type": "application/json", "service-version": "2020-01", "content-encoding": coding };
  return (response) => void response.writeHead(200, headers).end(encode(JSON.stringify(THING)));
}

describe("the body of a response through undici", () => {
  const { gzipSync, deflateSync, brotliCompressSync, zstdCompressSync } = zlib;

  it.each<[coding: string, encode: (text: string) => Uint8Array]>([
    ["gzip", gzipSync],
    ["x-gzip", gzipSync],
    ["deflate", deflateSync],
    ["deflate, gzip", (text) => gzipSync(deflateSync(text))],
    ["gzip, br", (text) => brotliCompressSync(gzipSync(text))],
    ["br", brotliCompressSync],
    ["zstd", zstdCompressSync],
    ["GZIP", gzipSync],
    ["gzip without its last bytes", (text) => gzipSync(text).subarray(0, -8)],
    ["unknown", (text) => Buffer.from(text)],
  ])("is decoded from %s", async (coding, encode) => {
    const { client, seen } = await undiciClient(encoded(coding.split(" without")[0] ?? "", encode));
    expect(await client.read("t1")).toEqual(THING);
    expect(seen[0]?.headers["accept-encoding"]).toBe("gzip, br, zstd");
  });

  it("that has too many codings causes a NetworkError", async () => {
    const { client } = await undiciClient(encoded("gzip,gzip,gzip,gzip,gzip,gzip", gzipSync));
    expect((await failureOf(client.read("t1"))).message).toContain("6 content codings");
  });

  it("is not compressed if a header says so", async () => {
    const { client, seen } = await undiciClient(thing);
    await client.read("t1", { headers: { "Accept-Encoding": "identity" } });
    expect(seen[0]?.headers["accept-encoding"]).toBe("identity");
  });
});

describe("an undici transport", () => {
  it("provides the status, the headers and the address of a Response, and encodes a path like fetch", async () => {
    const headers = { "set-cookie": ["a=1", "b=2"] as never, "x-request-id": "r1" };
    const { client, seen, baseUrl } = await undiciClient(json(200, THING, headers));
    const { response } = await client.read("t1").withResponse();
    expect(response).toMatchObject({ status: 200, ok: true, url: `${baseUrl}/v1/things/t1` });
    expect(response.headers.get("x-request-id")).toBe("r1");
    expect(response.headers.getSetCookie()).toEqual(["a=1", "b=2"]);
    await client.request("GET", "/v1/ü?q=é");
    expect(seen[1]?.path).toBe("/v1/%C3%BC?q=%C3%A9");
  });

  it.each(["close", Symbol.asyncDispose] as const)("waits for calls, and closes connections: %s", async (close) => {
    const transport = undiciTransport();
    const late: Reply = (response, request) => void setTimeout(() => thing(response, request), 30);
    const { client, server, replied } = await undiciClient(late, transport);
    const ended = vi.fn();
    void client.read("t1").then(ended);
    await replied(1);
    await transport[close]();
    expect(ended).toHaveBeenCalledWith(THING);
    await noConnections(server);
    await transport.close();
    const error = await failureOf(client.read("t1"));
    expect(error).toMatchObject({ name: "InvalidInputError", path: "transport" });
    expect(error.message).toBe("things:read: transport is closed; create another one with undiciTransport");
  });

  it("uses the dispatcher that it gets, and leaves it open", async () => {
    const dispatcher = new Agent();
    onTestFinished(() => dispatcher.destroy());
    const transport = undiciTransport({ dispatcher });
    const { client, baseUrl } = await undiciClient(thing, transport);
    await client.read("t1");
    await transport.close();
    expect(dispatcher.closed).toBe(false);
    expect(Object.keys(dispatcher.stats)).toEqual([baseUrl]);
  });

  it("replaces characters that no header has, which older releases of undici 7 return", async () => {
    const headers = { "x-city": "Łódź" };
    const request = async () => ({ statusCode: 422, headers, body: new Response("{}").body as never });
    const onResponse = vi.fn();
    const transport = undiciTransport({ dispatcher: { request } as never });
    const error = await failureOf(tinyClient({ transport, maxRetries: 0, hooks: { onResponse } }).read("t1"));
    expect(error).toMatchObject({ name: "ApiError", status: 422 });
    expect(onResponse.mock.calls[0]?.[0].headers.get("x-city")).toBe("?ód?");
  });

  it("works with undici 7, and limits connecting to a proxy", async () => {
    const load = vi.fn(() => vi.importActual("undici-7"));
    vi.doMock("undici", load);
    onTestFinished(() => void vi.doUnmock("undici"));
    const { client } = await undiciClient(encoded("gzip", zlib.gzipSync));
    expect(await client.read("t1")).toEqual(THING);
    expect(load).toHaveBeenCalledOnce();

    const proxy = createServer().listen(0, "127.0.0.1");
    onTestFinished(() => void proxy.close());
    await once(proxy, "listening");
    vi.stubEnv("https_proxy", `https://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    const options = { baseUrl: "https://x.example", transport: open({ connectTimeout: 50 }), maxRetries: 0 };
    expect((await failureOf(tinyClient(options).read("t1"))).message).toContain("timeout: 50ms");
  });

  it("explains that undici is not installed", async () => {
    vi.doMock("undici", () => {
      throw new Error("Cannot find package 'undici'");
    });
    onTestFinished(() => void vi.doUnmock("undici"));
    const error = await failureOf(tinyClient({ transport: undiciTransport() }).read("t1"));
    expect(error).toMatchObject({ name: "InvalidInputError", path: "transport", cause: expect.any(Error) as Error });
    const advice = "undici 7 or 8 could not be loaded. Install it with `npm install undici`";
    expect(error.message).toBe(`undiciTransport: ${advice}`);
  });

  it.each([
    [{ connections: 0 }, "connections must be an integer from 1 to 65536; received 0"],
    [{ dispatcher: {} }, "dispatcher"],
    [{ conections: 5 }, 'unknown option "conections". Did you mean "connections"?'],
    [
      { connections: 5, dispatcher: new Agent() },
      "connections must not be used together with dispatcher; set it on the",
    ],
  ])("rejects the options %j", (options, says) => {
    const error = thrownBy(() => undiciTransport(options as never));
    expect(error.name).toBe("InvalidInputError");
    expect(error.message).toMatch(/^undiciTransport: /);
    expect(error.message).toContain(says);
  });
});

describe("connections of undici", () => {
  it("are reused after a success, an error response and an empty body, also by another client", async () => {
    const transport = open();
    const gone = json(404, { error: "Gone" });
    const replies: Reply[] = [thing, gone, thing, gone, (response) => response.writeHead(204).end()];
    const { client, connections, seen, baseUrl } = await undiciClient(replies, transport);
    for (let calls = 0; calls < 8; calls++) await client.read("t1").safe();
    await tinyClient({ baseUrl, transport, maxRetries: 0 }).read("t1").safe();
    expect(seen).toHaveLength(9);
    // undici frees a connection shortly after it has passed on the end of a body.
    expect(connections()).toBeLessThanOrEqual(2);
  });

  it("are at most `connections`, and further calls wait", async () => {
    const late: Reply = (response, request) => void setTimeout(() => thing(response, request), 5);
    const { client, connections, seen } = await undiciClient(late, open({ connections: 2 }));
    await Promise.all(Array.from({ length: 10 }, () => client.read("t1")));
    expect([seen.length, connections()]).toEqual([10, 2]);
  });
});

describe("a call through undici that is aborted", () => {
  it("while it waits for a connection ends at once, and its request is never sent", async () => {
    const replies: (() => void)[] = [];
    const held: Reply = (response, request) => void replies.push(() => thing(response, request));
    const { client, seen, replied } = await undiciClient([held, thing], open({ connections: 1 }));
    const first = client.read("t1");
    await replied(1);
    expect((await failureOf(client.read("t2", { signal: AbortSignal.timeout(5) }))).name).toBe("TimeoutError");
    replies[0]?.();
    await first;
    await client.read("t3");
    expect(seen.map(({ path }) => path)).toEqual(["/v1/things/t1", "/v1/things/t3"]);
  });
});
