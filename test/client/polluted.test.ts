import { describe, expect, it, vi } from "vitest";
import { failureOf, respond } from "./service.ts";
import { THING, tinyClient } from "./tiny-contract.ts";

/** Runs a function while `Object.prototype` has another property. */
async function polluted<Value>(name: string, value: unknown, run: () => Promise<Value>): Promise<Value> {
  Object.defineProperty(Object.prototype, name, { value, configurable: true, enumerable: false, writable: true });
  try {
    return await run();
  } finally {
    Reflect.deleteProperty(Object.prototype, name);
  }
}

const stolen = vi.fn(async () => respond());

const properties: [name: string, value: unknown][] = [
  ["baseUrl", "http://evil.invalid"],
  ["environment", "sandbox"],
  ["accessToken", "token-of-an-attacker"],
  ["headers", { "x-evil": "yes" }],
  ["timeout", 1],
  ["maxRetries", 50],
  ["maxResponseBytes", 1],
  ["hooks", { onRequest: stolen }],
  ["onRequest", stolen],
  ["onCallEnd", stolen],
  ["logger", { debug: stolen, warn: stolen }],
  ["onResponseMismatch", "ignore"],
  ["onVersionMismatch", "ignore"],
  ["query", { evil: "yes" }],
  ["idempotent", true],
  ["mismatches", [{ path: "", message: "evil" }]],
  ["detail", "evil"],
  ["signal", AbortSignal.abort()],
  ["json", { evil: 1 }],
  ["body", "evil"],
];

/** Returns the requests and the outcomes of three calls: two succeed, and the third gets a 503. */
async function record(): Promise<unknown[]> {
  const seen: unknown[] = [];
  const statuses = [200, 201, 503];
  const fetch = async (request: Request): Promise<Response> => {
    seen.push([request.method, request.url, [...request.headers], await request.text()]);
    return respond(THING, statuses.shift());
  };
  const client = tinyClient({ fetch });
  const data = [await client.read("t1"), await client.add({ key: "k" })];
  return [seen, data, (await failureOf(client.request("POST", "/v1/x", {}))).message];
}

describe("a property of Object.prototype", () => {
  it.each(properties)("named %s is not an option and does not change the request", async (name, value) => {
    const expected = await record();
    expect(await polluted(name, value, record)).toEqual(expected);
    expect(stolen).not.toHaveBeenCalled();
  });

  it("named like a field of a body counts as missing", async () => {
    const failing = tinyClient({ fetch: async () => respond({}, 599), maxRetries: 0 });
    const failure = await polluted("error", "Evil", () => failureOf(failing.read("t1")));
    expect(failure).toMatchObject({ code: undefined, message: "things:read: 599" });
    const lacking = tinyClient({ fetch: async () => respond({ ...THING, size: undefined }) });
    const mismatches = [{ path: "size", message: "expected number, received nothing" }];
    expect(await polluted("size", "3", () => failureOf(lacking.read("t1")))).toMatchObject({ mismatches });
  });
});
