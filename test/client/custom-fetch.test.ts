import { describe, expect, it } from "vitest";
import { failureOf } from "./service.ts";
import { THING, TOKEN, tinyClient } from "./tiny-contract.ts";

const once = { maxRetries: 0, timeout: 100 };

describe("a custom fetch", () => {
  it("receives one complete Request and nothing else", async () => {
    const seen: unknown[][] = [];
    const bodies: unknown[] = [];
    const fetch = async (...given: [Request]): Promise<Response> => {
      seen.push(given);
      bodies.push(await given[0].json());
      return Response.json(THING, { headers: { "service-version": "2020-01" } });
    };
    await tinyClient({ fetch }).add({ key: "k" });
    const [request, ...rest] = seen[0] as [Request];
    expect(rest).toEqual([]);
    expect(request).toBeInstanceOf(Request);
    expect(request.method).toBe("POST");
    expect(request.headers.get("authorization")).toBe(`Bearer ${TOKEN}`);
    expect(bodies).toEqual([{ key: "k" }]);
  });

  it("sees its request aborted when the timeout expires", async () => {
    const seen: Request[] = [];
    const fetch = (request: Request): Promise<Response> => {
      seen.push(request);
      return new Promise(() => {});
    };
    await failureOf(tinyClient({ fetch, ...once }).read("t1"));
    expect(seen[0]?.signal.aborted).toBe(true);
  });

  it.each([undefined, null, "OK", {}])("that returns %j fails the call", async (given) => {
    const error = await failureOf(tinyClient({ fetch: async () => given as never }).read("t1"));
    expect(error).toMatchObject({ name: "InvalidInputError", path: "fetch", operation: "things:read" });
  });

  it.each([new Error("boom"), "boom"])("that throws %s causes a NetworkError", async (thrown) => {
    const fetch = (): Promise<Response> => {
      throw thrown;
    };
    const error = await failureOf(tinyClient({ fetch, maxRetries: 0 }).read("t1"));
    expect(error.name).toBe("NetworkError");
    expect(error.message).toContain("boom");
  });

  it("defaults to the global fetch at the time of the call, so that a tool may replace it", async () => {
    const client = tinyClient();
    const original = globalThis.fetch;
    globalThis.fetch = async () => Response.json(THING, { headers: { "service-version": "2020-01" } });
    try {
      expect(await client.read("t1")).toEqual(THING);
    } finally {
      globalThis.fetch = original;
    }
  });

  it.each([
    ["never answers", async () => new Promise<Response>(() => {})],
    [
      "answers with a body that never ends",
      async () => new Response(new ReadableStream(), { headers: { "service-version": "2020-01" } }),
    ],
  ])("that %s and knows no signal ends with the timeout", async (_, fetch) => {
    expect((await failureOf(tinyClient({ fetch, ...once }).read("t1"))).name).toBe("TimeoutError");
  });
});
