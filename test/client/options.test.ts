import { describe, expect, it } from "vitest";
import { bindVersion } from "../../src/client/client.ts";
import { ENVIRONMENTS } from "../../src/client/options.ts";
import { failureOf, serve, thing, thrownBy } from "./service.ts";
import { contract, TOKEN, tinyClient } from "./tiny-contract.ts";

const make = (options: unknown): unknown => bindVersion(contract.version, options as never);

describe("accessToken", () => {
  it.each([
    ["missing", {}, "undefined"],
    ["undefined", { accessToken: undefined }, "undefined"],
    ["null", { accessToken: null }, "null"],
    ["a number", { accessToken: 42 }, "number"],
    ["empty", { accessToken: "" }, "empty"],
    ["with a line break at its end", { accessToken: `${TOKEN}\n` }, "line break"],
    ["with an injected header", { accessToken: `${TOKEN}\r\nX-Evil: 1` }, "line break"],
    ["with a NUL", { accessToken: `${TOKEN}\0` }, "visible ASCII"],
    ["with a letter outside ASCII", { accessToken: `${TOKEN}é` }, "visible ASCII"],
    ["with a scheme before it", { accessToken: `Bearer ${TOKEN}` }, "Bearer"],
    ["with a space", { accessToken: `${TOKEN} x` }, "space"],
  ])("%s is rejected at once, without showing it", (_, options, says) => {
    const error = thrownBy(() => make(options));
    expect(error).toMatchObject({ name: "InvalidInputError", path: "accessToken" });
    expect(error.message).toContain(says);
    expect(error.message).not.toContain(TOKEN);
  });

  it("as a function is called before each attempt", async () => {
    const service = await serve((response) => response.writeHead(503, { "retry-after": "0" }).end(), thing);
    let asked = 0;
    await tinyClient({ baseUrl: service.baseUrl, accessToken: async () => `token-number-${++asked}` }).read("t1");
    expect(service.seen.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer token-number-1",
      "Bearer token-number-2",
    ]);
  });

  it.each([
    ["undefined", () => undefined],
    ["an empty string", () => ""],
    ["a line break", async () => "a\nb"],
  ])("as a function that returns %s fails the call and sends nothing", async (_, accessToken) => {
    const service = await serve(thing);
    const error = await failureOf(
      tinyClient({ baseUrl: service.baseUrl, accessToken: accessToken as never }).read("t1"),
    );
    expect(error).toMatchObject({ name: "InvalidInputError", path: "accessToken", operation: "things:read" });
    expect(service.seen).toEqual([]);
  });

  it("as a function that returns another type fails with the name of the type", async () => {
    const error = await failureOf(tinyClient({ accessToken: (() => 42) as never }).read("t1"));
    expect(error.message).toBe("things:read: accessToken must return a string; received number");
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("vault is sealed");
      },
    ],
    [
      "rejects",
      async () => {
        throw new Error("vault is sealed");
      },
    ],
  ])("as a function that %s fails the call with that error as the cause", async (_, accessToken) => {
    const error = await failureOf(tinyClient({ accessToken }).read("t1"));
    expect(error).toMatchObject({
      name: "AccessTokenError",
      cause: { message: "vault is sealed" },
    });
  });

  it("of a call overrides the client's", async () => {
    const service = await serve(thing);
    await tinyClient({ baseUrl: service.baseUrl }).read("t1", { accessToken: "another-token" });
    expect(service.seen[0]?.headers.authorization).toBe("Bearer another-token");
  });

  it("of a call is rejected when undefined, and never falls back to the client's", async () => {
    const error = await failureOf(tinyClient().read("t1", { accessToken: undefined } as never));
    expect(error).toMatchObject({ name: "InvalidInputError", path: "accessToken", operation: "things:read" });
  });
});

describe("the base address", () => {
  it("ENV-1: is production by default, sandbox by name, or the given baseUrl", () => {
    expect(ENVIRONMENTS.production).not.toBe(ENVIRONMENTS.sandbox);
    expect(tinyClient().baseUrl).toBe(ENVIRONMENTS.production);
    expect(tinyClient({ environment: "sandbox" }).baseUrl).toBe(ENVIRONMENTS.sandbox);
    expect(tinyClient({ environment: "sandbox", baseUrl: "http://localhost:1234" }).baseUrl).toBe(
      "http://localhost:1234",
    );
  });

  it("G-BASE: is under the reserved .example domain in both environments", () => {
    for (const address of Object.values(ENVIRONMENTS)) expect(address).toMatch(/^https:\/\/[\w.-]+\.example$/);
  });

  it.each([
    ["https://a.example/", "https://a.example"],
    ["https://a.example/prefix//", "https://a.example/prefix"],
    [new URL("http://a.example:8080/x"), "http://a.example:8080/x"],
  ])("%s loses its trailing slashes", (baseUrl, expected) => {
    expect(tinyClient({ baseUrl }).baseUrl).toBe(expected);
  });

  it.each([
    "",
    "/v1",
    "a.example",
    "ftp://a.example",
    "javascript:alert(1)",
    "https://u:pass-word@a.example",
    "https://a.example/?x=1",
    "https://a.example/?",
    "https://a.example/#",
    "https://",
    42,
    "https://user@billing.example",
  ])("rejects %s as baseUrl", (baseUrl) => {
    const error = thrownBy(() => make({ accessToken: TOKEN, baseUrl }));
    expect(error).toMatchObject({ name: "InvalidInputError", path: "baseUrl" });
    expect(error.message).not.toContain("pass-word");
  });

  it.each([
    ["localhost:4010", 'must start with https:// or http://; its scheme is "localhost:"'],
    ["pass-word:x@a.example", "must start with https:// or http://"],
    [
      "pass-word",
      'must be an absolute URL, such as "https://billing.example.com"; received a string without a valid scheme and host',
    ],
    [42, 'must be an absolute URL, such as "https://billing.example.com"; received number'],
  ])("says what it received as baseUrl: %s", (baseUrl, problem) => {
    expect(thrownBy(() => make({ accessToken: TOKEN, baseUrl })).message).toBe(`createClient: baseUrl ${problem}`);
  });

  it.each(["staging", "", "toString", "__proto__", null])("rejects %s as environment", (environment) => {
    expect(thrownBy(() => make({ accessToken: TOKEN, environment }))).toMatchObject({ path: "environment" });
  });
});

describe("an unknown option", () => {
  it.each([
    [{ baseURL: "https://a.example" }, "options.baseURL", 'option "baseURL". Did you mean "baseUrl"?'],
    [{ enviroment: "sandbox" }, "options.enviroment", 'option "enviroment". Did you mean "environment"?'],
    [{ lgoger: console }, "options.lgoger", 'option "lgoger". Did you mean "logger"?'],
    [{ proxy: "x" }, "options.proxy", 'option "proxy"; expected one of: accessToken, environment, baseUrl, timeout, '],
    [{ hooks: { onResponce: () => {} } }, "hooks.onResponce", 'hook "onResponce". Did you mean "onResponse"?'],
  ])("%o is rejected, so that a typo never selects production", (options, path, says) => {
    const error = thrownBy(() => make({ accessToken: TOKEN, ...options }));
    expect(error).toMatchObject({ name: "InvalidInputError", path });
    expect(error.message).toContain(`createClient: unknown ${says}`);
  });

  it("is allowed in hooks that are an instance of a class", () => {
    class Counter {
      calls = 0;
      onRequest(): void {
        this.calls += 1;
      }
    }
    expect(() => make({ accessToken: TOKEN, hooks: new Counter() })).not.toThrow();
  });

  it("is ignored when it is undefined", () => {
    expect(() => make({ accessToken: TOKEN, retries: undefined })).not.toThrow();
  });

  it("of a call fails the call, and nothing is sent", async () => {
    const service = await serve(thing);
    const client = tinyClient({ baseUrl: service.baseUrl });
    const error = await failureOf(client.read("t1", { retries: 0 } as never));
    expect(error).toMatchObject({ path: "options.retries", operation: "things:read" });
    expect(error.message).toBe(
      'things:read: unknown option "retries"; expected one of: signal, timeout, maxRetries, maxResponseBytes, headers, accessToken',
    );
    expect(await failureOf(client.read("t1", { query: {} } as never))).toMatchObject({ path: "options.query" });
    expect(await failureOf(client.request("GET", "/v1/x", { params: {} } as never))).toMatchObject({
      path: "options.params",
    });
    expect(service.seen).toEqual([]);
  });
});

describe("the parts of a request", () => {
  it("include a body if the operation requires one", async () => {
    const error = await failureOf(tinyClient().add(undefined as never));
    expect(error.message).toBe("things:add: body is required; received undefined");
  });

  it("accept only a boolean as repeatable", async () => {
    const error = await failureOf(tinyClient().request("POST", "/v1/x", { repeatable: "false" as never }));
    expect(error).toMatchObject({ name: "InvalidInputError", path: "repeatable" });
  });
});

describe("the other options", () => {
  it.each([
    ["timeout", 0],
    ["timeout", -1],
    ["timeout", Number.NaN],
    ["timeout", Number.POSITIVE_INFINITY],
    ["timeout", 2 ** 31],
    ["timeout", "5"],
    ["maxRetries", -1],
    ["maxRetries", 1.5],
    ["maxRetries", Number.POSITIVE_INFINITY],
    ["maxRetries", "2"],
  ])("%s %s is rejected by createClient and by a call", async (name, value) => {
    expect(thrownBy(() => make({ accessToken: TOKEN, [name]: value }))).toMatchObject({
      name: "InvalidInputError",
      path: name,
    });
    const error = await failureOf(tinyClient().read("t1", { [name]: value }));
    expect(error).toMatchObject({ name: "InvalidInputError", path: name, operation: "things:read" });
  });

  it.each([
    ["fetch", "fetch", "fetch"],
    ["hooks", { onRequest: 1 }, "hooks.onRequest"],
    ["hooks", 1, "hooks"],
    ["logger", { debug() {} }, "logger.warn"],
    ["onResponseMismatch", "log", "onResponseMismatch"],
    ["onVersionMismatch", true, "onVersionMismatch"],
  ])("an invalid %s is rejected", (name, value, path) => {
    expect(thrownBy(() => make({ accessToken: TOKEN, [name]: value }))).toMatchObject({
      name: "InvalidInputError",
      path,
    });
  });

  it("missing options are rejected", () => {
    expect(thrownBy(() => make(undefined))).toMatchObject({ name: "InvalidInputError", path: "options" });
  });

  it("an invalid signal is rejected", async () => {
    expect(await failureOf(tinyClient().read("t1", { signal: {} as never }))).toMatchObject({ path: "signal" });
  });
});
