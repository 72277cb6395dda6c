import { describe, expect, it } from "vitest";
import { openAdapter } from "../support/adapter.ts";

const PRODUCTION = "https://api.billing-service.example";
const SANDBOX = "https://sandbox-api.billing-service.example";

describe("the base URLs of the mock", () => {
  it("G-BASE: are production, the sandbox and those given to it", async () => {
    const { mock } = await openAdapter({ baseUrl: ["https://One.example/", "https://two.example:443/a/b/"] });
    expect(mock.baseUrls).toEqual([PRODUCTION, SANDBOX, "https://one.example", "https://two.example/a/b"]);
  });

  it("G-BASE: are those of the assumption", async () => {
    const { mock, send, fetch } = await openAdapter({
      assumptions: { baseUrls: ["https://Billing.internal.example/api/"] },
    });
    expect(mock.baseUrls).toEqual(["https://billing.internal.example/api"]);
    expect((await send("GET /v1/products/")).status).toBe(200);
    expect((await fetch("https://billing.internal.example/api/v2")).status).toBe(404);
    const { body } = await send("GET /.well-known/openid-configuration");
    expect(body).toMatchObject({ issuer: "https://billing.internal.example/api" });
  });

  it.each(["gateway", "/billing", "", "ftp://a.example", "https://user:pw@a.example", "https://a.example/?"])(
    "G-BASE: rejects %j",
    async (baseUrl) => {
      await expect(openAdapter({ baseUrl })).rejects.toThrow("must be an absolute URL");
      await expect(openAdapter({ assumptions: { baseUrls: [baseUrl] } })).rejects.toThrow("must be an absolute URL");
    },
  );
});
