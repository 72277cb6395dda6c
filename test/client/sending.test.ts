import ky, { type Options } from "ky";
import ky1 from "ky-1";
import { Agent, fetch as undiciFetch } from "undici";
import { describe, expect, it, vi } from "vitest";
import { dispatcherFetch } from "../../examples/dispatcher-fetch.ts";
import type { FetchedResponse, FetchInit } from "../../src/client/index.ts";
import { ENVIRONMENTS } from "../../src/client/options.ts";
import { clientOf, failureOf, json, type Reply, respond, serve, thing } from "./service.ts";
import { THING, TOKEN, tinyClient } from "./tiny-contract.ts";

/** Yields a thing in chunks that share one buffer. */
async function* thingInChunks(): AsyncGenerator<Uint8Array> {
  const [text, chunk] = [JSON.stringify(THING), new Uint8Array(5)];
  for (let at = 0; at < text.length; at += 5) {
    yield chunk.subarray(0, new TextEncoder().encodeInto(text.slice(at, at + 5), chunk).written);
  }
}

const received = (changes: Partial<FetchedResponse> = {}): FetchedResponse => ({
  status: 200,
  headers: new Headers({ "content-type": "application/json", "service-version": "2020-01" }),
  body: thingInChunks(),
  ...changes,
});

/** Creates a client whose `fetch` returns a response of another implementation. */
const foreignClient = (changes: Partial<FetchedResponse>, options = {}) =>
  tinyClient({ fetch: async () => received(changes), maxRetries: 0, ...options });

/** Throws. */
const fail = (): never => {
  throw new Error("no Request");
};

describe("a custom fetch", () => {
  it("is called as fetch(url, init) with the complete request, which is aborted when the timeout expires", async () => {
    const fetch = vi.fn((_url: string, _init: FetchInit) => new Promise<never>(() => {}));
    const options = { baseUrl: "http://billing.test", headers: { "X-Own": "1" }, fetch, maxRetries: 0, timeout: 30 };
    await failureOf(tinyClient(options).add({ key: "k" }));
    expect(fetch).toHaveBeenCalledExactlyOnceWith("http://billing.test/v1/things", {
      method: "POST",
      headers: {
        accept: "application/json",
        authorization: `Bearer ${TOKEN}`,
        "content-type": "application/json",
        "service-version": "2020-01",
        "user-agent": expect.any(String) as string,
        "x-own": "1",
      },
      body: '{"key":"k"}',
      signal: expect.objectContaining({ aborted: true }) as AbortSignal,
      redirect: "manual",
    });
  });

  it("forbids a cache for reads", async () => {
    const fetch = vi.fn(async (_url: string, _init: FetchInit) => respond());
    await tinyClient({ fetch }).read("t1");
    expect(fetch.mock.calls[0]?.[1]).toMatchObject({ method: "GET", body: null, cache: "no-store" });
  });

  it.each([
    ["undici", undiciFetch],
    ["undici with a dispatcher", dispatcherFetch(new Agent())],
    ["the runtime", globalThis.fetch],
  ])("may be that of %s", async (_, fetch) => {
    const { client, seen } = await clientOf([json(503, {}, { "retry-after": "0" }), thing], { fetch });
    expect(await client.add({ key: "k" })).toEqual(THING);
    expect(seen[1]).toMatchObject({ method: "POST", body: '{"key":"k"}' });
  });

  it.each([
    ["sends it", (request: unknown) => globalThis.fetch(request as Request), [json(401, {}), thing]],
    ["reads it", async (request: unknown) => globalThis.fetch((request as Request).clone()), [thing]],
    ["checks it", async (given: unknown) => globalThis.fetch(given instanceof Request ? given : fail()), [thing]],
  ])("may take a Request: one that %s", async (_, fetch, replies) => {
    const { client, seen } = await clientOf(replies, { fetch, maxRetries: 0 });
    expect(await client.add({ key: "k" })).toEqual(THING);
    expect(await client.read("t1")).toEqual(THING);
    const token = expect.stringMatching(/^Bearer /);
    expect(seen.slice(-2)).toMatchObject([
      { method: "POST", headers: { authorization: token }, body: '{"key":"k"}' },
      { method: "GET", headers: { authorization: token } },
    ]);
  });

  it("of a test may ignore the second argument of a read", async () => {
    expect(await tinyClient({ fetch: async (_url: string) => respond() }).read("t1")).toEqual(THING);
  });

  it.each([undefined, null, "OK", {}, { status: 200 }, received({ body: "text" as never })])(
    "that returns %j is a NetworkError",
    async (given) => {
      const error = await failureOf(tinyClient({ fetch: async () => given as never }).read("t1"));
      expect(error).toMatchObject({ name: "NetworkError", cause: { name: "TypeError" } });
    },
  );

  it("may return another object, which withResponse() and errors return as a Response", async () => {
    const { data, response } = await foreignClient({}).read("t1").withResponse();
    expect([data, response instanceof Response, response.ok]).toEqual([THING, true, true]);
    const failed = await failureOf(foreignClient({ status: 409 }).read("t1"));
    expect(failed).toMatchObject({ name: "ApiError", status: 409, rawBody: THING, response: { ok: false } });
  });
});

/** Creates a client, and afterwards replaces the global `fetch`, until the test ends. */
function clientOfGlobal(fetch: () => Promise<Response>, options: Parameters<typeof tinyClient>[0] = {}) {
  const client = tinyClient({ maxRetries: 0, ...options });
  vi.spyOn(globalThis, "fetch").mockImplementation(fetch);
  return client;
}

describe("the global fetch", () => {
  it("is looked up for each call, so that a tool may replace it", async () => {
    expect(await clientOfGlobal(async () => respond()).read("t1")).toEqual(THING);
  });

  it("receives the body as a stream in Deno, which would send any other twice when a connection is lost", async () => {
    vi.stubGlobal("Deno", {});
    await clientOfGlobal(async () => respond()).add({ key: "k" });
    const [url = "", init] = vi.mocked(globalThis.fetch).mock.calls[0] ?? [];
    expect(init?.body).toBeInstanceOf(ReadableStream);
    expect(await new Request(url, init).json()).toEqual({ key: "k" });
  });

  const coded = (code: string) => new TypeError("fetch failed", { cause: Object.assign(new Error(code), { code }) });
  const { production, sandbox } = ENVIRONMENTS;

  it.each([
    ["production", { environment: "production" }, coded("ENOTFOUND"), production],
    ["sandbox", { environment: "sandbox" }, coded("ENOTFOUND"), sandbox],
    ["a baseUrl", { baseUrl: "http://billing.example:8080/x" }, coded("ENOTFOUND"), "http://billing.example"],
    ["a host without a name server", {}, coded("EAI_AGAIN"), production],
  ] as const)("G-BASE: that does not find the placeholder of %s says what to set", async (_, options, lost, url) => {
    const { message } = await failureOf(clientOfGlobal(() => Promise.reject(lost), options).read("t1"));
    const advice = "set `baseUrl`, or `fetch: mock.fetch` for tests";
    expect(message).toContain(`; ${new URL(url).hostname} is a placeholder: ${advice}`);
  });

  it.each([
    [{}, coded("ECONNRESET")],
    [{ baseUrl: "https://billing.test" }, coded("ENOTFOUND")],
  ])("does not mention a placeholder otherwise: %j", async (options, lost) => {
    const { message } = await failureOf(clientOfGlobal(() => Promise.reject(lost), options).read("t1"));
    expect(message).not.toContain("placeholder");
  });
});

/** Creates a client that sends through an instance of ky. */
const kyClient = (options: Options, ...replies: Reply[]) => clientOf(replies, { ky: ky.create(options) });

describe("an own instance of ky", () => {
  it("must have the init hooks of ky 2.1", async () => {
    const { seen, client } = await clientOf([thing], { ky: ky1.create({}) as never });
    const error = await failureOf(client.add({ size: 1 }));
    expect(error).toMatchObject({ name: "InvalidInputError", path: "ky" });
    expect(error.message).toContain("ky must be ky 2.1 or newer");
    expect(seen).toEqual([]);
  });

  it("applies its headers, hooks and fetch, and makes the Request that is sent", async () => {
    const fetch = vi.fn(async (request: Request) => globalThis.fetch(request));
    const afterResponse = vi.fn();
    const beforeRequest = ({ request }: { request: Request }) => request.headers.set("x-hook", "yes");
    const hooks = { beforeRequest: [beforeRequest], afterResponse: [afterResponse] };
    const { seen, client } = await kyClient({ headers: { "x-team": "blue" }, hooks, fetch: fetch as never }, thing);
    expect(await client.add({ size: 1 })).toEqual(THING);
    const headers = { "x-team": "blue", "x-hook": "yes", "content-type": "application/json" };
    expect(seen[0]).toMatchObject({ method: "POST", body: '{"size":1}', headers });
    expect(afterResponse).toHaveBeenCalledOnce();
    expect(fetch.mock.calls[0]?.[0].redirect).toBe("manual");
  });

  it("cannot send the token to another origin", async () => {
    const other = await serve(thing);
    const beforeRequest = [({ request }: { request: Request }) => new Request(`${other.baseUrl}/`, request)];
    const { client } = await kyClient({ hooks: { beforeRequest } }, thing);
    expect(await failureOf(client.read("t1"))).toMatchObject({ name: "InvalidInputError", path: "ky" });
    expect(other.seen).toEqual([]);
  });

  it("cannot change what the client sends, how often, or who sees the token, with its options or hooks", async () => {
    const authorizations: (string | null)[] = [];
    const replace = ({ request }: { request: Request }) => {
      authorizations.push(request.headers.get("authorization"));
      for (const name of ["authorization", "service-version", "accept"]) request.headers.set(name, "mine");
      return new Request(request, { redirect: "follow" });
    };
    const init = (options: Options) => {
      Object.assign(options, { retry: { limit: 2, methods: ["post"], delay: () => 0 }, throwHttpErrors: true });
      Object.assign(options, { timeout: 1, totalTimeout: 1, method: "PUT", body: "theirs" });
      options.hooks = { ...options.hooks, beforeRequest: [...(options.hooks?.beforeRequest ?? []), replace] };
    };
    const headers = { authorization: "Bearer theirs", "service-version": "1999-01", accept: "text/html" };
    const options = { headers, hooks: { init: [init], beforeRequest: [replace] }, json: { size: 9 } };
    const busy = json(503, { error: "Busy" });
    const { seen, client } = await kyClient(options, busy, busy, busy);
    const error = await failureOf(client.add({ size: 1 }, { maxRetries: 0 }));
    expect(error).toMatchObject({ name: "ApiError", status: 503 });
    expect(seen).toHaveLength(1);
    const sent = { authorization: `Bearer ${TOKEN}`, "service-version": "2020-01", accept: "application/json" };
    expect(seen[0]).toMatchObject({ method: "POST", body: '{"size":1}', headers: sent });
    expect(authorizations).not.toContain(`Bearer ${TOKEN}`);
    expect(authorizations.length).toBeGreaterThan(1);
  });

  it.each(["init", "beforeRequest", "afterResponse"] as const)("throws the error of its %s hook once", async (name) => {
    const failure = new RangeError("mine");
    const hook = vi.fn(() => {
      throw failure;
    });
    const { client } = await kyClient({ hooks: { [name]: [hook] } }, thing);
    expect(await failureOf(client.read("t1"))).toBe(failure);
    expect(hook).toHaveBeenCalledOnce();
  });

  it("may replace a response in a hook, which is then read", async () => {
    const afterResponse = [() => respond({ ...THING, id: "t2" })];
    const { client } = await kyClient({ hooks: { afterResponse } }, thing);
    expect(await client.read("t1")).toMatchObject({ id: "t2" });
    const other = await kyClient({ hooks: { beforeRequest: [() => respond({ error: "Gone", detail: "x" }, 404)] } });
    expect(await failureOf(other.client.read("t1"))).toMatchObject({ status: 404, body: { error: "Gone" } });
  });
});
