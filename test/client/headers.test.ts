import { describe, expect, it } from "vitest";
import { versionNames, versions } from "../support/clients.ts";
import { failureOf, json, serve, thing, thrownBy } from "./service.ts";
import { THING, TOKEN, tinyClient } from "./tiny-contract.ts";

describe("the headers of a request", () => {
  it("CLI-1: contain the version, the token and the accepted type on every request", async () => {
    const service = await serve(thing);
    const client = tinyClient({ baseUrl: service.baseUrl });
    await client.read("t1");
    await client.request("DELETE", "/v1/other");
    for (const { headers } of service.seen) {
      expect(headers).toMatchObject({
        "service-version": "2020-01",
        authorization: `Bearer ${TOKEN}`,
        accept: "application/json",
      });
    }
  });

  it.each(versionNames)("CLI-1, UPG-1: contain the imported version, for the client of %s", async (version) => {
    const asked: (string | null)[] = [];
    const fetch = async ({ headers }: Request) => {
      asked.push(headers.get("service-version"));
      return new Response(null, { status: 404 });
    };
    const client = versions[version].createClient({ accessToken: TOKEN, fetch });
    expect(client.version).toBe(version);
    await failureOf(client.products.list());
    await failureOf(client.request("GET", "/v1/other"));
    expect(asked).toEqual([version, version]);
  });

  it("ENV-3: contain application/json for a body, and no type without one", async () => {
    const service = await serve(json(201, THING));
    const client = tinyClient({ baseUrl: service.baseUrl });
    await client.add({ size: 1 });
    await client.read("t1");
    expect(service.seen.map(({ headers }) => headers["content-type"])).toEqual(["application/json", undefined]);
  });

  it("combine those of the client and the call, which override the client's", async () => {
    const service = await serve(thing);
    const client = tinyClient({ baseUrl: service.baseUrl, headers: { "X-Trace": "client", "X-Team": "blue" } });
    await client.read("t1", { headers: { "x-trace": "call" } });
    expect(service.seen[0]?.headers).toMatchObject({ "x-trace": "call", "x-team": "blue" });
  });
});

const rejected: [name: string, value: unknown, says: string][] = [
  ["Service-Version", "2024-10", "import another version"],
  ["SERVICE-VERSION", "2020-01", "import another version"],
  ["authorization", "Bearer x", "accessToken"],
  ["Accept", "text/html", "application/json"],
  ["Content-Type", "text/plain", "application/json"],
  ["Host", "evil.example", "connection"],
  ["Transfer-Encoding", "chunked", "connection"],
  ["X-Trace", "a\r\nX-Evil: 1", "line break"],
  ["X-Trace", "a\nb", "line break"],
  ["X-Trace", "a\0b", "NUL"],
  ["X-Trace", "snow ☃", "not allowed in a header"],
  ["X-Trace", undefined, "string"],
  ["X Trace", "a", "not a valid header name"],
  ["X-Trace\r\nX-Evil", "a", "not a valid header name"],
  ["", "a", "not a valid header name"],
];

describe("a header that is not allowed", () => {
  it.each(rejected)("%j: %j is rejected by createClient with its path", (name, value, says) => {
    const error = thrownBy(() => tinyClient({ headers: { [name]: value } as never }));
    expect(error).toMatchObject({ name: "InvalidInputError", path: `headers[${JSON.stringify(name)}]` });
    expect(error.message).toContain(says);
  });

  it.each(rejected)("%j: %j is rejected by a call, and nothing is sent", async (name, value, says) => {
    const service = await serve(thing);
    const error = await failureOf(
      tinyClient({ baseUrl: service.baseUrl }).read("t1", { headers: { [name]: value } as never }),
    );
    expect(error).toMatchObject({
      name: "InvalidInputError",
      path: `headers[${JSON.stringify(name)}]`,
      operation: "things:read",
    });
    expect(error.message).toContain(says);
    expect(service.seen).toEqual([]);
  });

  it("is reported without its value, which may be a secret", () => {
    const error = thrownBy(() => tinyClient({ headers: { "X-Key": "hidden-value\n" } }));
    expect(error.message).not.toContain("hidden-value");
  });

  it.each([[new Headers({ a: "b" })], [[["a", "b"]]], ["a: b"], [null]])(
    "in another kind of container is rejected",
    (headers) => {
      expect(thrownBy(() => tinyClient({ headers: headers as never }))).toMatchObject({ path: "headers" });
    },
  );
});
