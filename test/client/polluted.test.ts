import { afterEach, describe, expect, it, vi } from "vitest";
import { failureOf, respond } from "./service.ts";
import { THING, type TinyClient, tinyClient } from "./tiny-contract.ts";

const set: string[] = [];

/** Sets a property of `Object.prototype` until the test ends, or until `restore` is called. */
function pollute(name: string, value: unknown): void {
  set.push(name);
  Object.defineProperty(Object.prototype, name, { value, configurable: true, enumerable: false, writable: true });
}

function restore(): void {
  for (const name of set.splice(0)) Reflect.deleteProperty(Object.prototype, name);
}

afterEach(restore);

const stolen = vi.fn(async () => respond());

const polluted: [name: string, value: unknown][] = [
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

/** Creates a client of a `fetch` that records requests. It responds with success twice, then with 503. */
function recorder() {
  const seen: unknown[] = [];
  const statuses = [200, 201, 503];
  const fetch = async (request: Request): Promise<Response> => {
    seen.push([request.method, request.url, [...request.headers], await request.text()]);
    return respond(THING, statuses.shift());
  };
  return { seen, client: tinyClient({ fetch }) };
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

  it("named like a field of a body counts as missing", async () => {
    pollute("error", "Evil");
    const failing = tinyClient({ fetch: async () => respond({}, 599), maxRetries: 0 });
    expect(await failureOf(failing.read("t1"))).toMatchObject({ code: undefined, message: "things:read: 599" });
    restore();
    pollute("size", "3");
    const lacking = tinyClient({ fetch: async () => respond({ ...THING, size: undefined }) });
    const mismatches = [{ path: "size", message: "expected number, received nothing" }];
    expect(await failureOf(lacking.read("t1"))).toMatchObject({ mismatches });
  });
});
