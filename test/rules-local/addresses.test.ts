import { describe, expect, it } from "vitest";
import { openAdapter } from "../support/adapter.ts";
import { type ClientOptions, versionNames, versions } from "../support/clients.ts";

const PRODUCTION = "https://api.billing-service.example";
const SANDBOX = "https://sandbox-api.billing-service.example";

/** Lists products with a client with the given options, and returns the URL of the request. */
async function placeOf(options: Partial<ClientOptions>, version = versionNames[1] as (typeof versionNames)[number]) {
  const adapter = await openAdapter({ baseUrl: "https://gateway.example/billing/" });
  let place = "";
  const onRequest = ({ url }: { url: string }) => {
    place = url;
  };
  const accessToken = adapter.mock.issueToken();
  const client = versions[version].createClient({
    accessToken,
    fetch: adapter.fetch,
    hooks: { onRequest },
    ...options,
  });
  const { response } = await client.products.list().withResponse();
  await adapter.close();
  expect(response.status).toBe(200);
  expect(place).toBe(`${client.baseUrl}/v1/products/`);
  return client.baseUrl;
}

describe("the base URL of the service", () => {
  it.each(versionNames)(
    "ENV-1, ENV-2, G-BASE: is that of production or the sandbox, by name, or given, in %s",
    async (version) => {
      expect(await placeOf({}, version)).toBe(PRODUCTION);
      expect(await placeOf({ environment: "production" }, version)).toBe(PRODUCTION);
      expect(await placeOf({ environment: "sandbox" }, version)).toBe(SANDBOX);
      expect(await placeOf({ baseUrl: "https://gateway.example/billing" })).toBe("https://gateway.example/billing");
    },
  );
});

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
