import { once } from "node:events";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { setupServer } from "msw/node";
import { fetch as undiciFetch } from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createMock } from "../../mock/node.ts";
import { createClient } from "../../versions/2025-01/index.ts";

const mock = createMock();
const msw3 = mock.handlers.every((handler) => "dispose" in handler);
const accessToken = mock.issueToken();
const [production, sandbox] = mock.baseUrls as [string, string];

afterEach(() => mock.close());

function getByNamedImport(url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request(url, { headers: { authorization: `Bearer ${accessToken}` } }, (response) => {
      response.resume();
      resolve(response.statusCode);
    })
      .on("error", reject)
      .end();
  });
}

describe("a mock that listens", () => {
  it("ENV-1, G-BASE, G-SHARED: answers for production, sandbox and a base address given to it", async () => {
    const own = createMock({ baseUrl: "https://gateway.example/billing/" });
    own.listen();
    const token = own.issueToken();
    const endpoint = own.webhookEndpoints.create();
    const places = [
      { environment: "production" as const },
      { environment: "sandbox" as const },
      { baseUrl: "https://gateway.example/billing" },
    ];
    for (const place of places) {
      const client = createClient({ accessToken: token, ...place });
      expect((await client.webhooks.getEndpoint(endpoint.id)).id).toBe(endpoint.id);
    }
    own.close();
  });

  it("lets unknown hosts pass", async () => {
    const server = createServer((_, response) => response.end("somebody else")).listen(0, "127.0.0.1");
    await once(server, "listening");
    mock.listen();
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/products/`);
    expect(await response.text()).toBe("somebody else");
    server.close();
  });

  it("can listen again after it was closed, and listening twice is listening once", async () => {
    const client = createClient({ accessToken, maxRetries: 0 });
    mock.listen();
    mock.listen();
    expect((await client.products.list()).items).toEqual([]);
    mock.close();
    expect((await client.products.list().safe()).error?.name).toBe("NetworkError");
    mock.listen();
    expect((await client.products.list()).items).toEqual([]);
  });

  it("keeps over a reset what was there when it began to listen", async () => {
    const own = createMock();
    const token = own.issueToken();
    own.listen();
    own.customers.create();
    own.reset();
    expect(own.customers.size).toBe(0);
    const client = createClient({ accessToken: token });
    expect((await client.products.list()).items).toEqual([]);
    own.close();
  });
});

describe("a suite with an MSW server of its own", () => {
  const server = setupServer(...mock.handlers);
  beforeAll(() => server.listen());
  afterAll(() => server.close());

  it("uses the mock's handlers, and a version 404 is answered on any path", async () => {
    const client = createClient({ accessToken, environment: "sandbox" });
    expect((await client.products.list()).items).toEqual([]);
    const response = await fetch(`${sandbox}/any/path`, { headers: { "Service-Version": "1999-01" } });
    expect(response.status).toBe(404);
    expect(response.headers.has("Service-Version")).toBe(false);
  });
});

describe.runIf(msw3)("a mock that listens at the sockets", () => {
  it("answers npm's undici, named imports of node:http and the global fetch", async () => {
    mock.listen({ sockets: true });
    const url = `${production}/v1/products/`;
    const headers = { authorization: `Bearer ${accessToken}` };
    expect((await undiciFetch(url, { headers })).status).toBe(200);
    expect(await getByNamedImport(url.replace("https:", "http:")).catch((error) => error.code)).toBe("ENOTFOUND");
    expect((await fetch(url, { headers })).status).toBe(200);
  });

  it("answers a base address of plain HTTP through named imports", async () => {
    const own = createMock({ baseUrl: "http://billing.example" });
    own.listen({ sockets: true });
    expect(await getByNamedImport("http://billing.example/v1/products/")).toBe(401);
    own.close();
  });
});

describe.each(["Bun", "Deno"])("a mock that is to listen in %s", (runtime) => {
  afterEach(() => vi.unstubAllGlobals());

  it.runIf(msw3)("says that MSW 3 would see nothing, before anything is sent", () => {
    vi.stubGlobal(runtime, {});
    for (const sockets of [false, true]) {
      expect(() => createMock().listen({ sockets })).toThrow("MSW 3 sees no request outside of Node.js; install msw@2");
    }
  });

  it.skipIf(msw3)("does so through MSW 2", () => {
    vi.stubGlobal(runtime, {});
    const own = createMock();
    expect(() => own.listen()).not.toThrow();
    own.close();
  });
});

describe.skipIf(msw3)("a mock that is to listen at the sockets through MSW 2", () => {
  it("says that it needs MSW 3", () => {
    expect(() => mock.listen({ sockets: true })).toThrow("sockets needs MSW 3");
  });
});
