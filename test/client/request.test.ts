import { describe, expect, it } from "vitest";
import { clientOf, failureOf, json, refused, text, thing } from "./service.ts";
import { THING, tinyClient } from "./tiny-contract.ts";

describe("the address of an operation", () => {
  it.each([
    ["not-a-uuid", "/v1/things/not-a-uuid"],
    ["../../admin", "/v1/things/..%2F..%2Fadmin"],
    ["%2e%2e", "/v1/things/%252e%252e"],
    ["a?b#c", "/v1/things/a%3Fb%23c"],
    ["é\r\n", "/v1/things/%C3%A9%0D%0A"],
    ["...", "/v1/things/..."],
    ["$&", "/v1/things/%24%26"],
  ])("contains the parameter %j as one segment", async (id, url) => {
    const { client, seen } = await clientOf(thing);
    await client.read(id);
    expect(seen[0]?.path).toBe(url);
  });

  it("ENV-2: starts with /v1 below the base address, whatever prefix that has", async () => {
    const { baseUrl, seen } = await clientOf(thing);
    await tinyClient({ baseUrl: `${baseUrl}/gate/way/` }).read("t1");
    expect(seen[0]?.path).toBe("/gate/way/v1/things/t1");
  });

  it("starts with /v1/v1 if baseUrl ends with /v1, which the message of the 404 explains", async () => {
    const { baseUrl } = await clientOf(text(404, "Not Found"));
    const error = await failureOf(tinyClient({ baseUrl: `${baseUrl}/v1/` }).read("t1"));
    expect(error.message).toBe("things:read: 404 (baseUrl ends with /v1, which the client adds)");
  });

  it("repeats the name of an array in the query, encodes values and omits undefined ones", async () => {
    const { client, seen } = await clientOf(thing);
    await client.read("t1", {}, { tag: ["a&b", "c d"], limit: undefined } as never);
    await client.read("t1", {}, { limit: 0 });
    await client.request("GET", "/v1/a..b/%20/?x=../y", { query: { z: [], w: ["1", "2"] } });
    const expected = ["/v1/things/t1?tag=a%26b&tag=c+d", "/v1/things/t1?limit=0", "/v1/a..b/%20/?x=../y&w=1&w=2"];
    expect(seen.map(({ path }) => path)).toEqual(expected);
  });

  it.each([301, 302, 303, 307, 308])(
    "is not changed by a redirect, whose target receives no token: %i",
    async (status) => {
      const elsewhere = await clientOf(thing);
      const location = `${elsewhere.baseUrl}/v1/stolen?key=hidden`;
      const { client, seen } = await clientOf((response) => void response.writeHead(status, { location }).end());
      expect(await failureOf(client.read("t1"))).toMatchObject({
        status,
        message: `things:read: ${status} redirect to ${elsewhere.baseUrl}/v1/stolen not followed`,
      });
      expect([elsewhere.seen.length, seen.length]).toEqual([0, 1]);
    },
  );

  it("is not changed by a redirect that a browser hides, which has the status 0", async () => {
    const opaque = () => Object.defineProperty(Response.error(), "type", { value: "opaqueredirect" });
    const error = await failureOf(tinyClient({ fetch: async () => opaque() }).read("t1"));
    expect(error).toMatchObject({ name: "ApiError", status: 0, message: "things:read: redirect not followed" });
  });
});

type Client = ReturnType<typeof tinyClient>;

const throwing = (): never => {
  throw new Error("no");
};

const add = (body: unknown) => (client: Client) => client.add(body as never);

type Row = [name: string, path: string, says: string, call: (client: Client) => Promise<unknown>];

/** The rows for several values of an argument. */
function each(path: string, says: string, call: (client: Client, value: never) => Promise<unknown>, values: unknown[]) {
  return values.map((value): Row => {
    return [`${path} ${JSON.stringify(value)}`, path, says, (client) => call(client, value as never)];
  });
}

const throwingGetter = { enumerable: true, get: throwing };
const cycle: unknown[] = [];
cycle.push({ self: cycle });
const nested = JSON.parse(`${"[".repeat(10_000)}${"]".repeat(10_000)}`);

const slash = 'must be a string that starts with "/"';
const query = "must be a string, a finite number, a boolean or an array of them";
const relative = ["v1/things", "", 42];
const limits = [Number.NaN, null, {}, [["x"]], () => 1];
const methods = ["get", "TRACE", "GET / HTTP/1.1\r\nX: ", "", undefined];

/** Arguments that are not valid, each with its path and a part of the message. */
const invalid: Row[] = [
  ...each("path.id", "must", (client, id) => client.read(id), ["", ".", "..", undefined, null, 42, {}, "\ud800"]),
  ...each("query.limit", query, (client, limit) => client.read("t1", {}, { limit }), limits),
  ...each("path", slash, (client, path) => client.request("GET", path), relative),
  ...each("method", "must be", (client, method) => client.request(method, "/v1/x"), methods),
  ...each("idempotent", "must be a boolean", (client, idempotent) => client.request("PUT", "/", { idempotent }), [
    "no",
  ]),
  ["a missing body", "body", "must be given", add(undefined)],
  ["a body of a GET", "body", "is not allowed with GET", (client) => client.request("GET", "/v1/x", { body: {} })],
  ["a BigInt", "body", "cannot be serialized", add({ size: { id: 1n } })],
  ["a cycle", "body", "cannot be serialized", add({ size: cycle })],
  ["a toJSON that throws", "body", "cannot be serialized as JSON; see `cause`", add({ size: { toJSON: throwing } })],
  ["a getter that throws", "body", "cannot be serialized", add({ size: Object.create(null, { a: throwingGetter }) })],
  ["a body that is nested too deeply", "body", "cannot be serialized", add({ size: nested })],
  ["a function", "body", "it must be a JSON value", add(() => {})],
  ["Infinity", "body", "`deep` must be a finite number; received Infinity", add({ size: [1, { deep: 1 / 0 }] })],
];

it.each(invalid)("an invalid argument fails the call, and nothing is sent: %s", async (_, path, says, call) => {
  const error = await refused(call);
  expect(error).toMatchObject({ name: "InvalidInputError", path });
  expect(error.message).toContain(`: ${path} `);
  expect(error.message).toContain(says);
  if (says.includes("serialized")) expect(error.cause).toBeInstanceOf(Error);
});

describe("the body of a request", () => {
  it("is serialized once, so that a later change does not affect retries", async () => {
    const { client, seen } = await clientOf([json(503, {}, { "retry-after": "0" }), json(201, THING)]);
    const body = { key: "k", size: 1 };
    const call = client.add(body);
    body.size = 2;
    await call;
    expect(seen.map((request) => request.body)).toEqual(['{"key":"k","size":1}', '{"key":"k","size":1}']);
  });

  it("may contain null, objects with toJSON, and fields that are undefined, which are omitted", async () => {
    const { client, seen } = await clientOf(thing);
    await client.add({ key: undefined as never, size: [null, "null", { toJSON: () => null }, new Date(0)] });
    expect(seen[0]?.body).toBe('{"size":[null,"null",null,"1970-01-01T00:00:00.000Z"]}');
  });
});

describe("client.request", () => {
  it("returns JSON of any shape, undefined for an empty body, and other text as a string", async () => {
    const { client } = await clientOf([
      json(200, { any: "thing" }),
      json(200, null, { "content-type": "application/problem+json" }),
      (response) => response.writeHead(204, { "service-version": "2020-01" }).end(),
      text(200, "<p>hello</p>"),
    ]);
    const results: unknown[] = [];
    for (let calls = 0; calls < 4; calls++) results.push(await client.request("GET", "/v1/x"));
    expect(results).toEqual([{ any: "thing" }, null, undefined, "<p>hello</p>"]);
  });

  it("sends its body, and its operation is the method and the path without the query", async () => {
    const { client, seen } = await clientOf(json(404, { error: "Gone", detail: "no x" }));
    const { message } = await failureOf(client.request("POST", "/v1/x?y=1", { body: [1] }));
    expect(message).toBe("POST /v1/x: 404 no x");
    expect(seen[0]).toMatchObject({ method: "POST", path: "/v1/x?y=1", body: "[1]" });
  });
});
