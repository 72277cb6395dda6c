import { describe, expect, it, vi } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { bindVersion } from "../../src/client/client.ts";
import type { FetchInit } from "../../src/client/index.ts";
import { ENVIRONMENTS } from "../../src/client/options.ts";
import { clientOf, json, refused, respond, thing, thrownBy } from "./service.ts";
import { THING, TOKEN, tinyClient } from "./tiny-contract.ts";

/** Returns the error for options of a client, which may miss a token. */
const errorFor = (options: unknown) => thrownBy(() => bindVersion("2020-01", options as never));

type Row = [options: object, path: string, says: string];

/** The rows for several values of an option. */
const each = (name: string, says: string, values: readonly unknown[]): Row[] =>
  values.map((value) => [{ [name]: value }, name, says]);

const noUrl = "must be an absolute URL with http: or https:, without credentials, query and fragment";
const noUrls = ["", "/v1", "a.example", "https://", "pass-word", "localhost:4010", "https://u:pass-word@a.example"];

const invalid: Row[] = [
  [{ accessToken: undefined }, "accessToken", "received undefined (is its environment variable set?)"],
  ...each("accessToken", "visible ASCII", ["", `${TOKEN}\r\nX-Evil: 1`, `${TOKEN}\0`, `Bearer ${TOKEN}`, `${TOKEN} x`]),
  ...each("environment", 'must be "production" or "sandbox"; received', ["staging", "", "toString", "__proto__", null]),
  ...each("baseUrl", noUrl, [...noUrls, "https://a.example/?", "https://a.example/#", 42]),
  [{ baseURL: "https://a.example" }, "options.baseURL", 'unknown option "baseURL"; expected one of: accessToken'],
  [{ proxy: "x" }, "options.proxy", '"proxy"; expected one of: accessToken, environment, baseUrl, timeout, '],
  [{ hooks: { onRequst: () => {} } }, "hooks.onRequst", 'unknown hook "onRequst"; expected one of: onRequest'],
  [{ hooks: { onRequest: 1 } }, "hooks.onRequest", "must be a function; received number"],
  [{ ky: fetch }, "ky", "must be ky 2.1 or newer; received function"],
  [{ ky: fetch, fetch }, "ky", "must not be used together with fetch; pass one of them"],
  [{ logger: { debug() {} } }, "logger.warn", "must be a function"],
  [{ logLevel: "verbose" }, "logLevel", 'must be "debug", "warn" or "off"'],
  [{ onResponseMismatch: "log" }, "onResponseMismatch", 'must be "throw" or "warn"'],
];

const { NaN: none, POSITIVE_INFINITY: infinite } = Number;

const header = (name: string, value: unknown, says: string): Row => {
  return [{ headers: { [name]: value } }, `headers[${JSON.stringify(name)}]`, says];
};
const ofClient = ["Service-Version", "authorization", "Accept", "Content-Type"];

/** Options that a client and a call have. */
const invalidAnywhere: Row[] = [
  ...each("timeout", "must be an integer from 1 to 2147483647; received ", [0, -1, none, infinite, 2 ** 31, "5"]),
  ...each("maxRetries", "must be an integer from 0 to", [-1, 1.5, infinite, "2"]),
  ...each("maxResponseBytes", "must be an integer from 1 to", [0, 1.5, none, "5"]),
  ...each("headers", "must be an object", [new Headers({ a: "b" }), [["a", "b"]], "a: b", null]),
  ...ofClient.map((name) => header(name, "x", "is set by the client")),
  ...["pass-word\r\nX-Evil: 1", "pass-word\0b", "\u20ac", undefined].map((value) =>
    header("X-Trace", value, "valid header"),
  ),
  ...["X Trace", ""].map((name) => header(name, "a", "valid header")),
];

describe("createClient", () => {
  it.each(invalid)("rejects %o without showing a secret", (options, path, says) => {
    const error = errorFor({ accessToken: TOKEN, ...options });
    expect(error).toMatchObject({ name: "InvalidInputError", path: expect.stringMatching(`^${path}`) as string });
    expect(error.message).toMatch(/^createClient: /);
    expect(error.message).toContain(says);
    expect(error.message).not.toMatch(new RegExp(`${TOKEN}|pass-word`));
  });

  it.each(["2025-13", "latest", "2025-04\r\nX-Evil: 1", undefined])("bindVersion rejects the version %j", (version) => {
    const error = thrownBy(() => bindVersion(version as never, { accessToken: TOKEN }));
    expect(error).toMatchObject({ name: "InvalidInputError", path: "version" });
    expect(error.message).toMatch(/^bindVersion: version must be YYYY-MM; received /);
  });

  it.each(invalidAnywhere)("and a call, which then sends nothing, reject %o", async (options, path, says) => {
    const ofCall = await refused((client) => client.read("t1", options));
    for (const error of [errorFor({ accessToken: TOKEN, ...options }), ofCall]) {
      expect(error).toMatchObject({ name: "InvalidInputError", path });
      expect(error.message).toContain(says);
      expect(error.message).not.toContain("pass-word");
    }
    expect(ofCall["operation"]).toBe("things:read");
  });

  it("rejects missing options, but not an unknown one that is undefined", () => {
    expect(errorFor(undefined)).toMatchObject({ name: "InvalidInputError", path: "options" });
    tinyClient({ retries: undefined } as object);
  });

  it("ENV-1: uses production by default, sandbox by name, or the given baseUrl", () => {
    expect(ENVIRONMENTS.production).not.toBe(ENVIRONMENTS.sandbox);
    expect(tinyClient().baseUrl).toBe(ENVIRONMENTS.production);
    expect(tinyClient({ environment: "sandbox" }).baseUrl).toBe(ENVIRONMENTS.sandbox);
    expect(tinyClient({ environment: "sandbox", baseUrl: "http://a.test:1234" }).baseUrl).toBe("http://a.test:1234");
  });

  it("G-BASE: has base URLs under the reserved .example domain for both environments", () => {
    for (const address of Object.values(ENVIRONMENTS)) expect(address).toMatch(/^https:\/\/[\w.-]+\.example$/);
  });

  it.each([
    ["https://a.example/", "https://a.example"],
    ["https://a.example/prefix//", "https://a.example/prefix"],
    [new URL("http://a.example:8080/x"), "http://a.example:8080/x"],
  ])("removes trailing slashes from the baseUrl %s", (baseUrl, expected) => {
    expect(tinyClient({ baseUrl }).baseUrl).toBe(expected);
  });
});

it("options that are inherited, or getters, do not silently select a default, such as the client's token", async () => {
  class Options {
    get accessToken() {
      return "token-of-another";
    }
  }
  const { client, seen } = await clientOf(thing);
  await client.read("t1", new Options());
  expect(seen).toMatchObject([{ headers: { authorization: "Bearer token-of-another" } }]);
});

describe("a call", () => {
  it.each([
    [{ retries: 0 }, "options.retries", "timeout, totalTimeout, maxRetries, maxResponseBytes, headers, accessToken"],
    [{ query: {} }, "options.query", 'unknown option "query"; expected one of: signal'],
    [{ accessToken: undefined }, "accessToken", "received undefined"],
    [{ signal: {} }, "signal", "must be an AbortSignal; received object"],
    [null, "options", "must be an object; received null"],
  ])("rejects the options %j, and sends nothing", async (options, path, says) => {
    const error = await refused((client) => client.read("t1", options as never));
    expect(error).toMatchObject({ name: "InvalidInputError", path, operation: "things:read" });
    expect(error.message).toContain(says);
    const other = await refused((client) => client.request("GET", "/v1/x", { params: {} } as never));
    expect(other["path"]).toBe("options.params");
  });

  it("overrides the token and the headers of the client", async () => {
    const { client, seen } = await clientOf(thing, { headers: { "X-Trace": "client", "X-Team": "blue" } });
    await client.read("t1", { accessToken: "another-token", headers: { "x-trace": "call" } });
    const headers = { authorization: "Bearer another-token", "x-trace": "call", "x-team": "blue" };
    expect(seen[0]?.headers).toMatchObject(headers);
  });
});

describe("the headers of a request", () => {
  it("CLI-1, ENV-3: contain the version, the token and the accepted type, and application/json for a body", async () => {
    const { client, seen } = await clientOf(json(201, THING));
    await client.read("t1");
    await client.request("DELETE", "/v1/other");
    await client.add({ size: 1 });
    const always = { "service-version": "2020-01", authorization: `Bearer ${TOKEN}`, accept: "application/json" };
    for (const { headers } of seen) expect(headers).toMatchObject(always);
    const types = [undefined, undefined, "application/json"];
    expect(seen.map(({ headers }) => headers["content-type"])).toEqual(types);
  });

  it.each([
    ["names the package outside browsers", undefined, {}, `billing-service-sdk/${packageJson.version}`],
    ["names it where navigator names no browser", { userAgent: "Bun/1.2" }, {}, "billing-service-sdk/"],
    ["can be replaced", undefined, { "User-Agent": "shop/1.0" }, "shop/1.0"],
    ["is left to a browser", { userAgent: "Mozilla/5.0 (X11; Linux x86_64) Chrome/140.0.0.0" }, {}, ""],
  ])("have a User-Agent that %s", async (_, navigator, headers, expected) => {
    if (navigator) vi.stubGlobal("navigator", navigator);
    const fetch = vi.fn(async (_url: string, _init: FetchInit) => respond());
    await tinyClient({ headers, fetch }).read("t1");
    const { "user-agent": userAgent } = fetch.mock.calls[0]?.[1].headers ?? {};
    expect(userAgent ?? "").toContain(expected);
    expect(userAgent !== undefined).toBe(expected !== "");
  });
});
