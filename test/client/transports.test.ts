import { inspect } from "node:util";
import ky1 from "ky";
import ky, { type Options } from "ky-2";
import { describe, expect, it, vi } from "vitest";
import { ENVIRONMENTS } from "../../src/client/environments.ts";
import type { Transport, TransportRequest, TransportResponse } from "../../src/client/index.ts";
import { clientOf, failureOf, json, type Reply, reset, respond, serve, thing } from "./service.ts";
import { THING, TOKEN, tinyClient } from "./tiny-contract.ts";

const HEADERS = { "content-type": "application/json", "service-version": "2020-01" };

/** Yields a thing in chunks that share one buffer. */
async function* thingInChunks(): AsyncGenerator<Uint8Array> {
  const [text, chunk] = [JSON.stringify(THING), new Uint8Array(5)];
  for (let at = 0; at < text.length; at += 5) {
    yield chunk.subarray(0, new TextEncoder().encodeInto(text.slice(at, at + 5), chunk).written);
  }
}

function answer(changes: Partial<TransportResponse> = {}): TransportResponse {
  return { status: 200, headers: new Headers(HEADERS), body: thingInChunks(), ...changes };
}

/** Calls an operation through a transport, once. */
function call(send: (request: TransportRequest) => unknown, options: Parameters<typeof tinyClient>[0] = {}) {
  const transport = { send: async (request: TransportRequest) => (await send(request)) as TransportResponse };
  return tinyClient({ transport, maxRetries: 0, ...options }).read("t1");
}

describe("a transport", () => {
  it("receives the complete request, and its response becomes the data", async () => {
    const send = vi.fn<Transport["send"]>(async () => answer({ status: 201 }));
    const options = { baseUrl: "http://billing.test", headers: { "X-Own": "1" }, transport: { send } };
    expect(await tinyClient(options).add({ key: "k" })).toEqual(THING);
    expect(send).toHaveBeenCalledExactlyOnceWith({
      operation: "things:add",
      method: "POST",
      url: "http://billing.test/v1/things",
      headers: {
        accept: "application/json",
        authorization: `Bearer ${TOKEN}`,
        "content-type": "application/json",
        "service-version": "2020-01",
        "user-agent": expect.any(String) as string,
        "x-own": "1",
      },
      body: '{"key":"k"}',
      signal: expect.any(AbortSignal) as AbortSignal,
    });
  });

  it("may be an instance of a class, and return a Response", async () => {
    class Counter implements Transport {
      calls = 0;
      async send(): Promise<TransportResponse> {
        this.calls += 1;
        return respond();
      }
    }
    const transport = new Counter();
    expect(await tinyClient({ transport }).read("t1")).toEqual(THING);
    expect(transport.calls).toBe(1);
  });

  it("provides the Response of withResponse(), and the same one in an error", async () => {
    const url = "http://billing.test/v1/things/t1";
    const headers = new Headers({ ...HEADERS, "x-request-id": "r1" });
    const transport = { send: async () => answer({ headers, url }) };
    const { data, response, version } = await tinyClient({ transport }).read("t1").withResponse();
    expect([data, version, response instanceof Response, response.ok]).toEqual([THING, "2020-01", true, true]);
    expect([response.status, response.url, response.headers.get("x-request-id")]).toEqual([200, url, "r1"]);
    const failed = await failureOf(call(() => answer({ status: 999, headers, url })));
    expect(failed).toMatchObject({ name: "ApiError", status: 999, rawBody: THING });
    expect(failed["response"]).toMatchObject({ status: 999, ok: false, url });
  });

  const text = async () => "{}";
  const noStreams = ["text", Buffer.from("{}")].flatMap((body) => [{ body }, { body, text }]);
  const wrong = [{ headers: {} }, { status: Number.NaN }, ...noStreams].map((part) => ({ ...answer(), ...part }));

  it.each([undefined, null, "OK", {}, { status: 200 }, ...wrong])("that returns %j fails the call", async (given) => {
    const send = vi.fn(async () => given as TransportResponse);
    const error = await failureOf(tinyClient({ transport: { send } }).read("t1"));
    expect(send).toHaveBeenCalledOnce();
    expect(error).toMatchObject({ name: "InvalidInputError", path: "transport.send", operation: "things:read" });
    expect(error.message).toContain("transport.send must return a response with status, headers and body; received");
  });
});

describe("the body of a transport's response", () => {
  /** Creates a body whose every chunk is what a function returns. */
  const bodyOf = (chunk: () => unknown, end = vi.fn(async () => ({}))) => ({
    [Symbol.asyncIterator]: () => ({ next: async () => ({ value: (await chunk()) as never }), return: end as never }),
  });
  const cutOff = () => Promise.reject(new Error("cut off"));

  it("may be null", async () => {
    const error = await failureOf(call(() => answer({ status: 404, body: null })));
    expect(error).toMatchObject({ name: "ApiError", rawBody: "" });
  });

  it("that fails or consists of numbers causes a NetworkError", async () => {
    const error = await failureOf(call(() => answer({ body: bodyOf(cutOff) })));
    expect(error).toMatchObject({ name: "NetworkError", cause: { message: "cut off" } });
    const other = await failureOf(call(() => answer({ body: bodyOf(() => 7) })));
    expect(other.message).toContain("the body must consist of bytes; received number");
  });

  it("is read up to maxResponseBytes, and ended", async () => {
    const end = vi.fn(async () => ({}));
    const body = bodyOf(() => new Uint8Array(100), end);
    const error = await failureOf(call(() => answer({ body }), { maxResponseBytes: 1_000 }));
    expect(error.name).toBe("ResponseTooLargeError");
    expect(end).toHaveBeenCalledOnce();
  });
});

describe("a custom fetch", () => {
  it("receives one complete Request and nothing else, which is aborted when the timeout expires", async () => {
    const fetch = vi.fn((_: Request) => new Promise<never>(() => {}));
    await failureOf(tinyClient({ fetch, maxRetries: 0, timeout: 30 }).add({ key: "k" }));
    const [[request, ...rest] = []] = fetch.mock.calls;
    expect([request instanceof Request, rest]).toEqual([true, []]);
    expect(request).toMatchObject({ method: "POST", signal: { aborted: true } });
    expect(request?.headers.get("authorization")).toBe(`Bearer ${TOKEN}`);
    expect(await request?.clone().json()).toEqual({ key: "k" });
  });

  it.each([undefined, null, "OK", {}])("that returns %j fails the call", async (given) => {
    const error = await failureOf(tinyClient({ fetch: async () => given as never }).read("t1"));
    expect(error).toMatchObject({ name: "InvalidInputError", path: "fetch", operation: "things:read" });
  });
});

/** Creates a client, and afterwards replaces the global `fetch`, until the test ends. */
function clientOfGlobal(fetch: () => Promise<Response>, options: Parameters<typeof tinyClient>[0] = {}) {
  const client = tinyClient({ transport: undefined, maxRetries: 0, ...options });
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
  const inBrowser = (cause?: Response) => new TypeError("Failed to fetch", { cause });
  const { production, sandbox } = ENVIRONMENTS;

  it.each([
    ["production", { environment: "production" }, coded("ENOTFOUND"), production],
    ["sandbox", { environment: "sandbox" }, coded("ENOTFOUND"), sandbox],
    ["a baseUrl", { baseUrl: "http://billing.example:8080/x" }, coded("ENOTFOUND"), "http://billing.example"],
    ["a host without a name server", {}, coded("EAI_AGAIN"), production],
    ["a host in a browser", {}, inBrowser(), production],
  ] as const)("G-BASE: that does not find the placeholder of %s says what to set", async (_, options, lost, url) => {
    const { message } = await failureOf(clientOfGlobal(() => Promise.reject(lost), options).read("t1"));
    const advice = "set `baseUrl`, or `fetch: mock.fetch` for tests";
    expect(message).toContain(`; ${new URL(url).hostname} is a placeholder: ${advice}`);
  });

  it.each([
    ["after a connection reset", {}, coded("ECONNRESET")],
    ["after a response that MSW loses", {}, inBrowser(Response.error())],
    ["at another host", { baseUrl: "https://billing.test" }, coded("ENOTFOUND")],
    ["of a custom fetch", { fetch: () => Promise.reject(new Error("offline")) }, coded("ENOTFOUND")],
  ])("does not mention the placeholder %s", async (_, options, lost) => {
    const { message } = await failureOf(clientOfGlobal(() => Promise.reject(lost), options).read("t1"));
    expect(message).not.toContain("placeholder");
  });
});

/** Creates a client that sends through an instance of ky. */
const kyClient = (options: Options, ...replies: Reply[]) =>
  clientOf(replies, { ky: ky.create(options), transport: undefined });

describe("an own instance of ky", () => {
  it("must have the init hooks of ky 2.1", async () => {
    const { seen, client } = await clientOf([thing], { ky: ky1.create({}) as never, transport: undefined });
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

  it("aborts its request at the timeout and with its own signal, even if an init hook replaces the signal", async () => {
    const signals: AbortSignal[] = [];
    const theirs = new AbortController();
    const options = {
      hooks: { init: [(given: Options) => void Object.assign(given, { signal: theirs.signal })] },
      fetch: ({ signal }: Request) => {
        signals.push(signal);
        return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason as Error)));
      },
    };
    const { client } = await kyClient(options as Options);
    expect((await failureOf(client.read("t1", { timeout: 50, maxRetries: 0 }))).name).toBe("TimeoutError");
    expect(signals[0]?.aborted).toBe(true);
    const own = failureOf(client.read("t1", { timeout: 5_000, maxRetries: 0 }));
    await expect.poll(() => signals.length).toBe(2);
    theirs.abort();
    expect((await own).name).toBe("NetworkError");
    const lost = new DOMException("lost", "NetworkError");
    const other = await kyClient({ fetch: () => Promise.reject(lost) });
    const { message } = await failureOf(other.client.read("t1", { maxRetries: 0 }));
    expect(message).toBe("things:read: the connection failed: lost");
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

  it("hides the token in an error of its hooks", async () => {
    const afterResponse = ({ request }: { request: Request }) => {
      throw Object.assign(new Error(`seen ${request.headers.get("authorization")}`), { request });
    };
    const { client } = await kyClient({ hooks: { afterResponse: [afterResponse] } }, thing);
    const shown = inspect(await failureOf(client.read("t1")), { depth: 9 });
    expect(shown).toContain("seen Bearer [access token]");
    expect(shown).not.toContain(TOKEN);
  });

  it("returns redirects and errors of status, and is used again after a lost connection, without the token", async () => {
    const redirect = json(302, {}, { location: "https://elsewhere.example/" });
    const { client, seen } = await kyClient({ throwHttpErrors: true }, redirect, json(404, { error: "Gone" }), reset);
    expect(await failureOf(client.read("t1"))).toMatchObject({ name: "ApiError", status: 302 });
    expect(await failureOf(client.read("t1"))).toMatchObject({ name: "ApiError", status: 404 });
    const lost = await failureOf(client.read("t1", { maxRetries: 1 }));
    expect(lost).toMatchObject({ name: "NetworkError" });
    expect(seen).toHaveLength(4);
    expect(JSON.stringify([lost.message, lost.stack, String(lost.cause)])).not.toContain(TOKEN);
  });
});
