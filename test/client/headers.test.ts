import { describe, expect, it } from "vitest";
import { versionNames, versions } from "../support/clients.ts";
import { failureOf, json, serve, thing, thrownBy } from "./service.ts";
import { THING, TOKEN, tinyClient } from "./tiny-contract.ts";

describe("the headers of a request", () => {
  it("CLI-1: carry the version of the contract, the token and the wish for JSON on every request", async () => {
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

  it.each(versionNames)("CLI-1, UPG-1: name the version of the import, as the client of %s does", async (version) => {
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

  it("ENV-3: say application/json where there is a body, and nothing where there is none", async () => {
    const service = await serve(json(201, THING));
    const client = tinyClient({ baseUrl: service.baseUrl });
    await client.add({ size: 1 });
    await client.read("t1");
    expect(service.seen.map(({ headers }) => headers["content-type"])).toEqual(["application/json", undefined]);
  });

  it("hold the client's and the call's own, the call's in place of the client's", async () => {
    const service = await serve(thing);
    const client = tinyClient({ baseUrl: service.baseUrl, headers: { "X-Trace": "client", "X-Team": "blue" } });
    await client.read("t1", { headers: { "x-trace": "call" } });
    expect(service.seen[0]?.headers).toMatchObject({ "x-trace": "call", "x-team": "blue" });
  });
});

const refused: [name: string, value: unknown, says: string][] = [
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
  ["X-Trace", "snow ☃", "cannot carry"],
  ["X-Trace", undefined, "string"],
  ["X Trace", "a", "no header name"],
  ["X-Trace\r\nX-Evil", "a", "no header name"],
  ["", "a", "no header name"],
];

describe("a header that cannot be given", () => {
  it.each(refused)("%j: %j is refused by the client, naming the place", (name, value, says) => {
    const error = thrownBy(() => tinyClient({ headers: { [name]: value } as never }));
    expect(error).toMatchObject({ name: "InvalidInputError", path: `headers[${JSON.stringify(name)}]` });
    expect(error.message).toContain(says);
  });

  it.each(refused)("%j: %j is refused by a call, and nothing is sent", async (name, value, says) => {
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

  it("is named without its value, which may be a secret", () => {
    const error = thrownBy(() => tinyClient({ headers: { "X-Key": "hidden-value\n" } }));
    expect(error.message).not.toContain("hidden-value");
  });

  it.each([[new Headers({ a: "b" })], [[["a", "b"]]], ["a: b"], [null]])(
    "in a container of another kind is refused, not lost",
    (headers) => {
      expect(thrownBy(() => tinyClient({ headers: headers as never }))).toMatchObject({ path: "headers" });
    },
  );
});
