import { describe, expect, it, onTestFinished } from "vitest";
import { ENVIRONMENTS } from "../../src/client/base-url.ts";
import { closedPort, failureOf } from "./service.ts";
import { tinyClient } from "./tiny-contract.ts";

/** A network that resolves no host names. */
function offline(): void {
  const original = globalThis.fetch;
  onTestFinished(() => {
    globalThis.fetch = original;
  });
  globalThis.fetch = async (input) => {
    const cause = Object.assign(new Error(`getaddrinfo ENOTFOUND ${new URL(String(input)).hostname}`), {
      code: "ENOTFOUND",
    });
    throw new TypeError("fetch failed", { cause });
  };
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
          "(`fetch: mock.fetch`, or `npx billing-mock`)",
      );
    },
  );

  it("G-BASE: explains a placeholder passed as baseUrl", async () => {
    offline();
    const error = await failureOf(tinyClient({ baseUrl: "http://billing.example:8080/x", maxRetries: 0 }).read("t1"));
    expect(error.message).toContain("billing.example is a placeholder");
  });

  it("does not mention placeholders elsewhere", async () => {
    const error = await failureOf(tinyClient({ baseUrl: await closedPort(), maxRetries: 0 }).read("t1"));
    expect(error.message).not.toContain("placeholder");
  });
});
