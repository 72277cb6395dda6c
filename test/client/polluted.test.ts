import { describe, expect, it } from "vitest";
import type { FetchInit } from "../../src/client/index.ts";
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

/** Where something enters: an option, a request, and the body of a response. */
const properties: [name: string, value: unknown][] = [
  ["baseUrl", "http://evil.invalid"],
  ["body", "evil"],
  ["detail", "evil"],
];

/** Returns the requests and the outcomes of three calls: two succeed, and the third gets a 503. */
async function record(): Promise<unknown[]> {
  const seen: unknown[] = [];
  const statuses = [200, 201, 503];
  const fetch = async (url: string, { method, headers, body }: FetchInit): Promise<Response> => {
    seen.push([method, url, { ...headers }, body]);
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
  });
});
