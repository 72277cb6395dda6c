import { describe, expect, it } from "vitest";
import { failureOf, serve, thing } from "./service.ts";
import { tinyClient } from "./tiny-contract.ts";

describe("the address of an operation", () => {
  it.each([
    ["t1", "/v1/things/t1"],
    ["not-a-uuid", "/v1/things/not-a-uuid"],
    ["a/b", "/v1/things/a%2Fb"],
    ["../../admin", "/v1/things/..%2F..%2Fadmin"],
    ["%2e%2e", "/v1/things/%252e%252e"],
    ["a?b#c", "/v1/things/a%3Fb%23c"],
    ["é\r\n", "/v1/things/%C3%A9%0D%0A"],
    ["...", "/v1/things/..."],
    ["$&", "/v1/things/%24%26"],
  ])("contains the parameter %j as one segment", async (id, url) => {
    const service = await serve(thing);
    await tinyClient({ baseUrl: service.baseUrl }).read(id);
    expect(service.seen[0]?.url).toBe(url);
  });

  it.each(["", ".", "..", undefined, null, 42, {}, "\ud800"])(
    "rejects %j as a parameter and sends nothing",
    async (id) => {
      const service = await serve(thing);
      const error = await failureOf(tinyClient({ baseUrl: service.baseUrl }).read(id as string));
      expect(error).toMatchObject({ name: "InvalidInputError", path: "path.id", operation: "things:read" });
      expect(service.seen).toEqual([]);
    },
  );

  it("ENV-2: starts with /v1 below the base address, whatever prefix that has", async () => {
    const service = await serve(thing);
    await tinyClient({ baseUrl: `${service.baseUrl}/gate/way/` }).read("t1");
    expect(service.seen[0]?.url).toBe("/gate/way/v1/things/t1");
  });

  it("repeats the name of an array in the query, encodes values and omits undefined ones", async () => {
    const service = await serve(thing);
    const client = tinyClient({ baseUrl: service.baseUrl });
    await client.read("t1", {}, { tag: ["a&b", "c d"], limit: undefined } as never);
    await client.read("t1", {}, { limit: 0 });
    expect(service.seen.map(({ url }) => url)).toEqual(["/v1/things/t1?tag=a%26b&tag=c+d", "/v1/things/t1?limit=0"]);
  });

  it.each([Number.NaN, null, {}, [["x"]], () => 1])("rejects %s in the query", async (limit) => {
    const error = await failureOf(tinyClient().read("t1", {}, { limit: limit as never }));
    expect(error).toMatchObject({ name: "InvalidInputError", path: "query.limit" });
  });
});

describe("the path of client.request", () => {
  it.each([
    ["v1/things", 'path must start with "/"; it is appended to baseUrl'],
    ["//evil.example/v1", 'path must not start with "//"'],
  ])("is explained when it is %j", async (path, problem) => {
    const error = await failureOf(tinyClient().request("GET", path));
    expect(error.message).toMatch(new RegExp(`: ${problem}$`));
  });

  it.each([
    "v1/things",
    "",
    "//evil.example/v1",
    "https://evil.example/",
    "/\\evil.example",
    "\\\\evil.example",
    "/v1/../admin",
    "/v1/..",
    "/v1/./x",
    "/v1/%2e%2E/x",
    "/v1/.%2e",
    "/v1/.. ",
    "/v1\n/x",
    "/v1\t/x",
    "/v1#x",
    "@evil.example",
    ":80@evil.example/",
    " /v1",
    42,
    undefined,
  ])("rejects %j and sends nothing", async (path) => {
    const service = await serve(thing);
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl }).request("GET", path as string));
    expect(error).toMatchObject({ name: "InvalidInputError", path: "path" });
    expect(service.seen).toEqual([]);
  });

  it("is sent unchanged, including its query", async () => {
    const service = await serve(thing);
    await tinyClient({ baseUrl: service.baseUrl }).request("GET", "/v1/a..b/%20/?x=../y", {
      query: { z: [], w: ["1", "2"] },
    });
    expect(service.seen[0]?.url).toBe("/v1/a..b/%20/?x=../y&w=1&w=2");
  });

  it.each(["get", "TRACE", "GET / HTTP/1.1\r\nX: ", "", undefined])("rejects the method %j", async (method) => {
    expect(await failureOf(tinyClient().request(method as never, "/v1/x"))).toMatchObject({ path: "method" });
  });
});

describe("a redirect", () => {
  it.each([301, 302, 303, 307, 308])("%i is an error, and the token is not sent elsewhere", async (status) => {
    const elsewhere = await serve(thing);
    const service = await serve((response) => {
      response.writeHead(status, { location: `${elsewhere.baseUrl}/v1/stolen?key=hidden` }).end();
    });
    const error = await failureOf(tinyClient({ baseUrl: service.baseUrl }).read("t1"));
    expect(error).toMatchObject({ name: "ApiError", status });
    expect(error.message).toBe(`things:read: ${status} redirect to ${elsewhere.baseUrl}/v1/stolen not followed`);
    expect(elsewhere.seen).toEqual([]);
    expect(service.seen).toHaveLength(1);
  });

  it("hidden by a browser is the same error with status 0", async () => {
    const opaque = { status: 0, ok: false, type: "opaqueredirect", headers: new Headers(), text: async () => "" };
    const error = await failureOf(tinyClient({ fetch: async () => opaque as Response }).read("t1"));
    expect(error).toMatchObject({ name: "ApiError", status: 0, message: "things:read: redirect not followed" });
    expect(error.message).toContain("redirect");
  });
});
