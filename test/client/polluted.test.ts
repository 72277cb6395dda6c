import { afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { failureOf, json, serve } from "./service.ts";
import { THING, type TinyClient, TOKEN, tinyClient } from "./tiny-contract.ts";

const set: string[] = [];

/** Sets a property of `Object.prototype` until the test ends. */
function pollute(name: string, value: unknown): void {
  set.push(name);
  Object.defineProperty(Object.prototype, name, { value, configurable: true, enumerable: false, writable: true });
}

function restore(): void {
  for (const name of set.splice(0)) Reflect.deleteProperty(Object.prototype, name);
}

afterEach(restore);

const EVIL = "http://evil.invalid";
const stolen = vi.fn();
const thief = async (request: Request): Promise<Response> => {
  stolen(request);
  return Response.json(THING, { headers: { "service-version": "2020-01" } });
};

const polluted: [name: string, value: unknown][] = [
  ["baseUrl", EVIL],
  ["environment", "sandbox"],
  ["accessToken", "token-of-an-attacker"],
  ["headers", { "x-evil": "yes" }],
  ["timeout", 1],
  ["maxRetries", 50],
  ["maxResponseBytes", 1],
  ["hooks", { onRequest: stolen }],
  ["onRequest", stolen],
  ["onResponse", stolen],
  ["onRetry", stolen],
  ["onAttemptEnd", stolen],
  ["onCallEnd", stolen],
  ["logLevel", "off"],
  ["logger", { debug: stolen, warn: stolen }],
  ["onResponseMismatch", "ignore"],
  ["onVersionMismatch", "ignore"],
  ["query", { evil: "yes" }],
  ["repeatable", true],
  ["mismatches", [{ path: "", message: "evil" }]],
  ["detail", "evil"],
  ["signal", AbortSignal.abort()],
  ["json", { evil: 1 }],
  ["body", "evil"],
];

async function outcomes(client: TinyClient): Promise<unknown[]> {
  const read = await client.read("t1");
  const added = await client.add({ key: "k" });
  return [read, added, (await failureOf(client.request("POST", "/v1/x", {}))).message];
}

/** Responds in process, because the server and the sockets of Node.js also read options from `Object.prototype`. */
function recorder(): { readonly client: TinyClient; readonly seen: unknown[] } {
  const seen: unknown[] = [];
  const statuses = [200, 201, 503];
  const fetch = async (request: Request): Promise<Response> => {
    seen.push([request.method, request.url, [...request.headers], await request.text()]);
    return Response.json(THING, { status: statuses.shift() ?? 503, headers: { "service-version": "2020-01" } });
  };
  return { seen, client: tinyClient({ fetch }) };
}

/** Makes the global `fetch` respond with a thing until the test ends. */
function replaceGlobalFetch() {
  const response = () => Response.json(THING, { headers: { "service-version": "2020-01" } });
  const fetch = vi.spyOn(globalThis, "fetch").mockImplementation(async () => response());
  onTestFinished(() => fetch.mockRestore());
  return fetch;
}

describe("a property of Object.prototype", () => {
  it.each(polluted)("named %s is not an option and does not change the request", async (name, value) => {
    const clean = recorder();
    const expected = await outcomes(clean.client);
    pollute(name, value);
    const dirty = recorder();
    const outcome = await outcomes(dirty.client);
    restore();
    expect(outcome).toEqual(expected);
    expect(dirty.seen).toEqual(clean.seen);
    expect(stolen).not.toHaveBeenCalled();
  });

  it("named like a field of an error body or an uncommon status counts as missing", async () => {
    pollute("error", "Evil");
    pollute("599", "Evil");
    const fetch = async (): Promise<Response> => Response.json({}, { status: 599 });
    const error = await failureOf(tinyClient({ fetch, maxRetries: 0 }).read("t1"));
    expect(error).toMatchObject({ code: undefined, message: "things:read: 599" });
  });

  it("named like a missing field of a response is not shown as received", async () => {
    pollute("size", "3");
    const fetch = async () =>
      Response.json({ ...THING, size: undefined }, { headers: { "service-version": "2020-01" } });
    const error = await failureOf(tinyClient({ fetch }).read("t1"));
    expect(error).toMatchObject({ mismatches: [{ path: "size", message: "expected number, received nothing" }] });
  });

  it("named fetch does not get the request", async () => {
    replaceGlobalFetch();
    pollute("fetch", thief);
    const result = await tinyClient().read("t1");
    restore();
    expect(result).toEqual(THING);
    expect(stolen).not.toHaveBeenCalled();
  });

  it("named credentials does not reach the global fetch", async () => {
    const fetch = replaceGlobalFetch();
    pollute("credentials", "include");
    await tinyClient().read("t1");
    expect(fetch.mock.lastCall?.[1]?.credentials).toBeUndefined();
  });

  it("named accessToken does not replace a missing option", () => {
    pollute("accessToken", TOKEN);
    expect(() => tinyClient({ accessToken: undefined })).toThrow("accessToken");
  });
});

describe("hooks and loggers", () => {
  it("may be methods of a class", async () => {
    class Counter {
      readonly seen: string[] = [];
      onRequest({ operation }: { readonly operation: string }): void {
        this.seen.push(operation);
      }
      debug(): void {}
      warn(message: string): void {
        this.seen.push(message);
      }
    }
    const counter = new Counter();
    const service = await serve(json(200, { id: 1 }));
    const options = { baseUrl: service.baseUrl, hooks: counter, logger: counter, onResponseMismatch: "warn" } as const;
    await tinyClient(options).read("t1");
    expect(counter.seen).toEqual(["things:read", expect.stringContaining("does not match")]);
  });
});
