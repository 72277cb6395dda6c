import { describe, expect, it } from "vitest";
import { openAdapter } from "../support/adapter.ts";

const PRODUCTION = "https://api.billing-service.example";
const SANDBOX = "https://sandbox-api.billing-service.example";

describe("the base URLs of the mock", () => {
  it("G-BASE: are production, the sandbox and those given to it", async () => {
    const { mock } = await openAdapter({ baseUrl: ["https://One.example/", "https://two.example:443/a/b/"] });
    expect(mock.baseUrls).toEqual([PRODUCTION, SANDBOX, "https://one.example", "https://two.example/a/b"]);
  });

  it("G-BASE: may continue each other; the longest that a URL begins with counts", async () => {
    const origin = "https://one.example";
    const baseUrl = ["", "/api", "/api/eu", "/apiv2"].map((path) => origin + path);
    const { fetch } = await openAdapter({ baseUrl });
    for (const issuer of baseUrl) {
      const response = await fetch(`${issuer}/.well-known/openid-configuration`);
      expect(await response.json()).toMatchObject({ issuer });
    }
    expect((await fetch(`${origin}/api/eu2/.well-known/openid-configuration`)).status).toBe(404);
  });

  it("G-BASE: may have a path, below which the mock responds under every host, as a server does", async () => {
    const { mock } = await openAdapter({ baseUrl: "https://gateway.example/billing" });
    const statuses = [];
    for (const path of ["/billing/v1/products/", "/v1/products/", "/billing?x=1", "/billings/v1/products/"])
      statuses.push((await mock.fetch(`http://127.0.0.1:4010${path}`)).status);
    expect(statuses).toEqual([401, 401, 404, 404]);
  });

  it.each(["gateway", "/billing", "", "ftp://a.example", "https://user:pw@a.example", "https://a.example/?"])(
    "G-BASE: rejects %j",
    async (baseUrl) => {
      await expect(openAdapter({ baseUrl })).rejects.toThrow("must be an absolute URL");
    },
  );
});
