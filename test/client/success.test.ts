import { describe, expect, it } from "vitest";
import { json, serve, text, thing } from "./service.ts";
import { THING, tinyClient } from "./tiny-contract.ts";

describe("a successful response", () => {
  it.each([200, 201, 202, 299])("has the status %i", async (status) => {
    const service = await serve(json(status, THING));
    expect(await tinyClient({ baseUrl: service.baseUrl }).read("t1")).toEqual(THING);
  });

  it("keeps fields that the contract does not declare, at every depth", async () => {
    const more = { ...THING, extra: [1], owner: { ...THING.owner, extra: null } };
    const service = await serve(json(200, more));
    expect(await tinyClient({ baseUrl: service.baseUrl }).read("t1")).toEqual(more);
  });

  it("keeps __proto__ as an own field and does not change a prototype", async () => {
    const service = await serve(text(200, `{"__proto__":{"polluted":true},${JSON.stringify(THING).slice(1)}`));
    const data = await tinyClient({ baseUrl: service.baseUrl }).read("t1");
    expect(Object.hasOwn(data, "__proto__")).toBe(true);
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
    expect(Object.getPrototypeOf(data)).toBe(Object.prototype);
  });

  it("UPG-1: comes with the response and the version that processed the request", async () => {
    const service = await serve(json(200, THING, { "x-request-id": "r1" }));
    const { data, response, version } = await tinyClient({ baseUrl: service.baseUrl }).read("t1").withResponse();
    expect(data).toEqual(THING);
    expect(version).toBe("2020-01");
    expect(response.headers.get("x-request-id")).toBe("r1");
  });
});

describe("a request body", () => {
  it("is sent as JSON, including unusual keys and characters", async () => {
    const service = await serve(json(201, THING));
    const body = JSON.parse('{"key":"k","size":{"__proto__":{"a":1},"ü":"\\ud83d\\ude00"}}') as { key: string };
    await tinyClient({ baseUrl: service.baseUrl }).add(body);
    expect(service.seen[0]).toMatchObject({ method: "POST", body: JSON.stringify(body) });
  });

  it("is serialized once, so that a later change does not affect retries", async () => {
    const service = await serve(json(503, {}, { "retry-after": "0" }), json(201, THING));
    const body = { key: "k", size: 1 };
    const call = tinyClient({ baseUrl: service.baseUrl }).add(body);
    body.size = 2;
    await call;
    expect(service.seen.map((request) => request.body)).toEqual(['{"key":"k","size":1}', '{"key":"k","size":1}']);
  });
});

describe("client.request", () => {
  it("returns JSON of any shape", async () => {
    const service = await serve(
      json(200, { any: "thing" }),
      json(200, null, { "content-type": "application/problem+json" }),
    );
    const client = tinyClient({ baseUrl: service.baseUrl });
    expect(await client.request("GET", "/v1/x")).toEqual({ any: "thing" });
    expect(await client.request("GET", "/v1/x")).toBeNull();
  });

  it("returns undefined for an empty body and other text as a string", async () => {
    const service = await serve(
      (response) => response.writeHead(204, { "service-version": "2020-01" }).end(),
      text(200, "<p>hello</p>"),
    );
    const client = tinyClient({ baseUrl: service.baseUrl });
    expect(await client.request("DELETE", "/v1/x")).toBeUndefined();
    expect(await client.request("GET", "/v1/x")).toBe("<p>hello</p>");
  });

  it("sends its body, and its operation is the method and the path without the query", async () => {
    const service = await serve(json(404, { error: "Gone", detail: "no x" }), thing);
    const error = await tinyClient({ baseUrl: service.baseUrl })
      .request("POST", "/v1/x?y=1", { body: [1] })
      .catch(String);
    expect(error).toBe("ApiError: POST /v1/x: 404 no x");
    expect(service.seen[0]).toMatchObject({ method: "POST", url: "/v1/x?y=1", body: "[1]" });
  });
});
