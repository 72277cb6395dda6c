import { describe, expect, it, onTestFinished, vi } from "vitest";
import packageJson from "../../package.json" with { type: "json" };
import { serve, thing } from "./service.ts";
import { tinyClient } from "./tiny-contract.ts";

async function userAgent(headers: Record<string, string> = {}): Promise<string | undefined> {
  const service = await serve(thing);
  await tinyClient({ baseUrl: service.baseUrl, headers }).read("t1");
  return service.seen[0]?.headers["user-agent"];
}

describe("the User-Agent", () => {
  it("names the package and its version", async () => {
    expect(await userAgent()).toBe(`billing-service-sdk/${packageJson.version}`);
  });

  it("can be overridden", async () => {
    expect(await userAgent({ "User-Agent": "shop/1.0" })).toBe("shop/1.0");
  });

  it.each([
    "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
    "Mozilla/5.0 (X11; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0",
  ])("is that of the browser in %s", async (name) => {
    vi.stubGlobal("navigator", { userAgent: name });
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(await userAgent()).not.toContain("billing-service-sdk");
  });

  it.each([undefined, {}, { userAgent: "Bun/1.2" }])("is set when navigator is %j", async (navigator) => {
    vi.stubGlobal("navigator", navigator);
    onTestFinished(() => void vi.unstubAllGlobals());
    expect(await userAgent()).toContain("billing-service-sdk");
  });
});
