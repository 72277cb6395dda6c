import { describe, expect, it, onTestFinished } from "vitest";
import { createMock } from "../../mock/index.ts";
import { ENVIRONMENTS } from "../../src/client/options.ts";
import { createClient } from "../../versions/2025-01/index.ts";
import { failureOf } from "./service.ts";
import { tinyClient } from "./tiny-contract.ts";

/** Makes the global `fetch` fail. */
function failing(errorFor: (hostname: string) => Error): void {
  const original = globalThis.fetch;
  onTestFinished(() => {
    globalThis.fetch = original;
  });
  globalThis.fetch = async (input) => {
    throw errorFor(new URL(String(input)).hostname);
  };
}

/** A network that resolves no host names. */
function offline(code = "ENOTFOUND"): void {
  failing((hostname) => caused(`getaddrinfo ${code} ${hostname}`, code));
}

function caused(message: string, code: string): TypeError {
  return new TypeError("fetch failed", { cause: Object.assign(new Error(message), { code }) });
}

describe("a network failure", () => {
  it.each(["production", "sandbox"] as const)(
    "G-BASE: at the placeholder of %s explains the placeholder and how to replace it",
    async (environment) => {
      offline();
      const error = await failureOf(tinyClient({ environment, maxRetries: 0 }).read("t1"));
      const { hostname } = new URL(ENVIRONMENTS[environment]);
      expect(error.message).toContain(
        `getaddrinfo ENOTFOUND ${hostname}; ${hostname} is a placeholder: set \`baseUrl\`, or use the mock ` +
          "(`fetch: mock.fetch`, or `npx @billing-service/sdk mock`)",
      );
    },
  );

  it("G-BASE: explains a placeholder passed as baseUrl", async () => {
    offline();
    const error = await failureOf(tinyClient({ baseUrl: "http://billing.example:8080/x", maxRetries: 0 }).read("t1"));
    expect(error.message).toContain("billing.example is a placeholder");
  });

  it.each([
    ["without a name server", () => caused("getaddrinfo EAI_AGAIN", "EAI_AGAIN")],
    ["in a browser", () => new TypeError("Failed to fetch")],
  ])("G-BASE: explains the placeholder %s", async (_, error) => {
    failing(error);
    expect((await failureOf(tinyClient({ maxRetries: 0 }).read("t1"))).message).toContain("is a placeholder");
  });

  it.each([
    ["a connection reset", () => caused("read ECONNRESET", "ECONNRESET")],
    ["a response that MSW loses", () => new TypeError("Failed to fetch", { cause: Response.error() })],
  ])("does not mention the placeholder after %s", async (_, error) => {
    failing(error);
    expect((await failureOf(tinyClient({ maxRetries: 0 }).read("t1"))).message).not.toContain("placeholder");
  });

  it("does not mention the placeholder when a mock is passed as fetch", async () => {
    const mock = createMock();
    mock.fault({ kind: "reset" });
    const billing = createClient({ accessToken: mock.issueToken(), fetch: mock.fetch, maxRetries: 0 });
    expect((await failureOf(billing.products.list())).message).toBe(
      "products:list: the connection failed: read ECONNRESET",
    );
  });

  it("does not mention the placeholder when a custom fetch fails", async () => {
    const fetch = async () => Promise.reject(new Error("offline"));
    const error = await failureOf(tinyClient({ fetch, maxRetries: 0 }).read("t1"));
    expect(error.message).toBe("things:read: the connection failed: offline");
  });

  it("does not mention placeholders elsewhere", async () => {
    offline();
    const error = await failureOf(tinyClient({ baseUrl: "https://billing.test", maxRetries: 0 }).read("t1"));
    expect(error.message).toBe("things:read: the connection failed: getaddrinfo ENOTFOUND billing.test");
  });
});
