import { inspect } from "node:util";
import ky, { type Options } from "ky";
import { describe, expect, it, vi } from "vitest";
import { createMock } from "../../mock/index.ts";
import { versionNames, versions } from "../support/clients.ts";
import { failureOf, json, reset, serve, stall, thing, thrownBy } from "./service.ts";
import { THING, TOKEN, tinyClient } from "./tiny-contract.ts";

/** Creates a client that sends through an instance of ky. */
async function clientOf(options: Options, ...replies: Parameters<typeof serve>) {
  const service = await serve(...replies);
  return { service, client: tinyClient({ baseUrl: service.baseUrl, ky: ky.create(options), transport: undefined }) };
}

describe("a client with an own instance of ky", () => {
  it("applies its headers, hooks and fetch, and sends the Request that it makes", async () => {
    const sent: Request[] = [];
    const fetch = async (request: Request | string | URL) => {
      sent.push(request as Request);
      return globalThis.fetch(request);
    };
    const afterResponse = vi.fn();
    const beforeRequest = ({ request }: { request: Request }) => request.headers.set("x-hook", "yes");
    const hooks = { beforeRequest: [beforeRequest], afterResponse: [afterResponse] };
    const { service, client } = await clientOf({ headers: { "x-team": "blue" }, hooks, fetch }, thing);
    expect(await client.add({ size: 1 })).toEqual(THING);
    expect(service.seen[0]).toMatchObject({
      method: "POST",
      body: '{"size":1}',
      headers: { "x-team": "blue", "x-hook": "yes", "content-type": "application/json" },
    });
    expect(afterResponse).toHaveBeenCalledOnce();
    expect(sent[0]).toBeInstanceOf(Request);
    expect(sent[0]?.redirect).toBe("manual");
  });

  it("does not let it override the token, the version or the format, and hides the token from its hooks", async () => {
    const seen: (string | null)[] = [];
    const beforeRequest = ({ request }: { request: Request }) => {
      seen.push(request.headers.get("authorization"));
      for (const name of ["authorization", "service-version", "accept"]) request.headers.set(name, "mine");
      return new Request(request, { redirect: "follow" });
    };
    const headers = { authorization: "Bearer theirs", "service-version": "1999-01", accept: "text/html" };
    const { service, client } = await clientOf({ headers, hooks: { beforeRequest: [beforeRequest] } }, thing);
    await client.read("t1");
    expect(service.seen[0]?.headers).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      "service-version": "2020-01",
      accept: "application/json",
    });
    expect(seen).toEqual(["Bearer theirs"]);
  });

  it("sends no token to another origin", async () => {
    const other = await serve(thing);
    const beforeRequest = [({ request }: { request: Request }) => new Request(`${other.baseUrl}/`, request)];
    const { client } = await clientOf({ hooks: { beforeRequest } }, thing);
    expect(await failureOf(client.read("t1"))).toMatchObject({ name: "InvalidInputError", path: "ky" });
    expect(other.seen).toEqual([]);
  });

  it("retries and times out as the client says, not as the instance does", async () => {
    const busy = json(503, { error: "Busy" }, { "retry-after": "0" });
    const retrying = await clientOf({ retry: { limit: 9, delay: () => 0 } }, busy, busy, thing);
    expect(await retrying.client.read("t1", { maxRetries: 2 })).toEqual(THING);
    expect(retrying.service.seen).toHaveLength(3);
    const slow = await clientOf({ timeout: 10_000 }, stall);
    const error = await failureOf(slow.client.read("t1", { timeout: 30, maxRetries: 0 }));
    expect(error).toMatchObject({ name: "TimeoutError", timeout: 30 });
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
    const { client } = await clientOf(options as Options);
    expect((await failureOf(client.read("t1", { timeout: 50, maxRetries: 0 }))).name).toBe("TimeoutError");
    expect(signals[0]?.aborted).toBe(true);
    const call = failureOf(client.read("t1", { timeout: 5_000, maxRetries: 0 }));
    await expect.poll(() => signals.length).toBe(2);
    theirs.abort();
    expect((await call).name).toBe("NetworkError");
  });

  it("lets neither its init hooks nor its body replace what the client sends, how often, and who sees the token", async () => {
    const seen: (string | null)[] = [];
    const peek = ({ request }: { request: Request }) => void seen.push(request.headers.get("authorization"));
    const init = (options: Options) => {
      Object.assign(options, { retry: { limit: 2, methods: ["post"], delay: () => 0 }, throwHttpErrors: true });
      Object.assign(options, { timeout: 1, totalTimeout: 1, method: "PUT", body: "theirs" });
      options.hooks = { ...options.hooks, beforeRequest: [...(options.hooks?.beforeRequest ?? []), peek] };
    };
    const busy = json(503, { error: "Busy" });
    const { service, client } = await clientOf({ hooks: { init: [init] }, json: { size: 9 } }, busy, busy, busy);
    const error = await failureOf(client.add({ size: 1 }, { maxRetries: 0 }));
    expect(error).toMatchObject({ name: "ApiError", status: 503 });
    expect(service.seen).toHaveLength(1);
    expect(service.seen[0]).toMatchObject({ method: "POST", body: '{"size":1}' });
    expect(service.seen[0]?.headers["authorization"]).toBe(`Bearer ${TOKEN}`);
    expect(seen).toEqual([null]);
  });

  it.each(["init", "beforeRequest", "afterResponse"] as const)("throws the error of its %s hook once", async (name) => {
    const failure = new RangeError("mine");
    const hook = vi.fn(() => {
      throw failure;
    });
    const { client } = await clientOf({ hooks: { [name]: [hook] } }, thing, thing, thing);
    expect(await client.read("t1").catch((error: unknown) => error)).toBe(failure);
    expect(hook).toHaveBeenCalledOnce();
  });

  it("retries whatever its fetch throws, and hides the token in an error of its hooks", async () => {
    const fetch = vi.fn(() => Promise.reject(new Error("socket hang up")));
    const { client } = await clientOf({ fetch });
    expect(await failureOf(client.read("t1", { maxRetries: 1 }))).toMatchObject({ name: "NetworkError" });
    expect(fetch).toHaveBeenCalledTimes(2);
    const afterResponse = ({ request }: { request: Request }) => {
      throw Object.assign(new Error(`seen ${request.headers.get("authorization")}`), { request });
    };
    const own = await clientOf({ hooks: { afterResponse: [afterResponse] } }, thing);
    const error = await own.client.read("t1").catch((thrown: unknown) => thrown as Error);
    expect(inspect(error, { depth: 9 })).toContain("seen Bearer [access token]");
    expect(inspect(error, { depth: 9 })).not.toContain(TOKEN);
  });

  it("returns redirects and errors of status, and reports a lost connection without the token", async () => {
    const redirect = json(302, {}, { location: "https://elsewhere.example/" });
    const { client } = await clientOf({ throwHttpErrors: true }, redirect, json(404, { error: "Gone", detail: "x" }));
    expect(await failureOf(client.read("t1"))).toMatchObject({ name: "ApiError", status: 302 });
    expect(await failureOf(client.read("t1"))).toMatchObject({ name: "ApiError", status: 404 });
    const lost = await failureOf((await clientOf({}, reset)).client.read("t1", { maxRetries: 0 }));
    expect(lost).toMatchObject({ name: "NetworkError" });
    expect(JSON.stringify([lost.message, lost.stack, String(lost.cause)])).not.toContain(TOKEN);
  });

  it.each(versionNames)("calls the mock of %s through its fetch", async (version) => {
    const mock = createMock();
    const instance = ky.create({ fetch: (request) => mock.fetch(request as Request) });
    const billing = versions[version].createClient({ accessToken: mock.issueToken(), ky: instance });
    const event = { name: "api.call", external_customer_id: "acme", external_id: "e1" };
    expect(await billing.events.ingest([event])).toEqual({ inserted: 1, duplicates: 0 });
  });

  it("rejects anything else, and a second way to send", () => {
    expect(thrownBy(() => tinyClient({ ky: fetch as never, transport: undefined })).message).toContain(
      "ky must be an instance of ky, such as ky.create(); received function",
    );
    expect(thrownBy(() => tinyClient({ ky, fetch, transport: undefined })).message).toContain(
      "ky must not be used together with fetch",
    );
  });
});
