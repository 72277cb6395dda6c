import { describe, expect, it } from "vitest";
import { openAdapter } from "../support/adapter.ts";
import { type ClientOptions, versionNames, versions } from "../support/clients.ts";

const PRODUCTION = "https://api.billing-service.example";
const SANDBOX = "https://sandbox-api.billing-service.example";

it.each(versionNames)(
  "ENV-1, ENV-2, G-BASE: a client reaches production or the sandbox by name, or a given URL, in %s",
  async (version) => {
    const { mock, fetch } = await openAdapter({ baseUrl: "https://gateway.example/billing/" });
    const urlOf = async (options: Partial<ClientOptions>) => {
      let url = "";
      const send = (request: Request) => {
        ({ url } = request);
        return fetch(request);
      };
      const client = versions[version].createClient({ accessToken: mock.issueToken(), fetch: send, ...options });
      await client.products.list();
      expect(url).toBe(`${client.baseUrl}/v1/products/`);
      return client.baseUrl;
    };
    expect(await urlOf({})).toBe(PRODUCTION);
    expect(await urlOf({ environment: "production" })).toBe(PRODUCTION);
    expect(await urlOf({ environment: "sandbox" })).toBe(SANDBOX);
    expect(await urlOf({ baseUrl: "https://gateway.example/billing" })).toBe("https://gateway.example/billing");
  },
);

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

  it.each(["gateway", "/billing", ""])("G-BASE: rejects %j", async (baseUrl) => {
    await expect(openAdapter({ baseUrl })).rejects.toThrow("must be an absolute URL");
    await expect(openAdapter({ assumptions: { baseUrls: [baseUrl] } })).rejects.toThrow("must be an absolute URL");
  });
});
