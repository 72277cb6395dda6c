import { request } from "node:http";
import { setupServer } from "msw/node";
import { fetch as undiciFetch } from "undici";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createClient } from "#current";
import { createMock } from "../../mock/node.ts";
import { undiciTransport } from "../../src/undici.ts";
import { startLocalServer } from "../support/local-server.ts";
import { CURRENT } from "../support/versions.ts";

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

describe("mock.listen", () => {
  it("ENV-1, G-BASE, G-SHARED: responds for production, sandbox and its own base URL", async () => {
    const own = createMock({ baseUrl: "https://gateway.example/billing/" });
    own.listen();
    const token = own.issueToken();
    const endpoint = own.webhookEndpoints.create();
    const environments = [{ environment: "production" }, { environment: "sandbox" }] as const;
    for (const place of [...environments, { baseUrl: "https://gateway.example/billing" }]) {
      const client = createClient({ accessToken: token, ...place });
      expect((await client.webhooks.getEndpoint(endpoint.id)).id).toBe(endpoint.id);
    }
    for (const rest of ["", "?x=1"]) expect((await fetch(`https://gateway.example/billing${rest}`)).status).toBe(404);
    own.close();
  });

  it("lets requests to other hosts pass", async () => {
    const { origin } = await startLocalServer((_, response) => response.end("other server"));
    mock.listen();
    for (const path of ["v1/products/", `${production}/v1/products/`]) {
      const response = await fetch(`${origin}/${path}`);
      expect(await response.text()).toBe("other server");
    }
  });

  it("can listen again after close; a second listen has no effect", async () => {
    const client = createClient({ accessToken, maxRetries: 0 });
    mock.listen();
    mock.listen();
    expect((await client.products.list()).items).toEqual([]);
    mock.close();
    expect((await client.products.list().safe()).error?.name).toBe("NetworkError");
    mock.listen();
    expect((await client.products.list()).items).toEqual([]);
  });

  it("keeps the records of the time of listen after a reset, unless its options are wrong", async () => {
    const own = createMock();
    own.customers.create();
    expect(() => own.listen({ socket: true } as object)).toThrow(
      new TypeError('mock.listen: unknown option "socket". Did you mean "sockets"?'),
    );
    own.reset();
    expect(own.customers.size).toBe(0);
    const accessToken = own.issueToken();
    own.listen();
    own.customers.create();
    own.reset();
    expect(own.customers.size).toBe(0);
    expect((await createClient({ accessToken }).products.list()).items).toEqual([]);
    own.close();
  });
});

describe("a test suite with its own MSW server", () => {
  const server = setupServer(...mock.handlers);
  beforeAll(() => server.listen());
  afterAll(() => server.close());

  it("uses the mock's handlers, which return 404 for an unsupported version on any path", async () => {
    const client = createClient({ accessToken, environment: "sandbox" });
    expect((await client.products.list()).items).toEqual([]);
    const response = await fetch(`${sandbox}/any/path`, { headers: { "Service-Version": "1999-01" } });
    expect(response.status).toBe(404);
    expect(response.headers.get("Service-Version")).toBe(CURRENT);
  });
});

it.runIf(msw3)(
  "mock.listen with sockets intercepts npm's undici, its transport, named imports of node:http and the global fetch",
  async () => {
    mock.listen({ sockets: true });
    const url = `${production}/v1/products/`;
    const headers = { authorization: `Bearer ${accessToken}` };
    expect((await undiciFetch(url, { headers })).status).toBe(200);
    expect(await getByNamedImport(url.replace("https:", "http:")).catch((error) => error.code)).toBe("ENOTFOUND");
    expect((await fetch(url, { headers })).status).toBe(200);
    const transport = undiciTransport();
    onTestFinished(() => transport.close());
    expect((await createClient({ accessToken, transport }).products.list()).items).toEqual([]);
    const own = createMock({ baseUrl: "http://billing.example" });
    own.listen({ sockets: true });
    expect(await getByNamedImport("http://billing.example/v1/products/")).toBe(401);
    own.close();
  },
);

it.each(["Bun", "Deno"])(
  "listen in %s throws an error with MSW 3, because it would see no requests, and works with MSW 2",
  (runtime) => {
    vi.stubGlobal(runtime, {});
    const own = createMock();
    onTestFinished(() => own.close());
    if (!msw3) return own.listen();
    for (const sockets of [false, true]) {
      expect(() => own.listen({ sockets })).toThrow("MSW 3 intercepts requests only in Node.js. Install msw@2");
    }
  },
);

it.skipIf(msw3)("sockets require MSW 3", () => {
  expect(() => mock.listen({ sockets: true })).toThrow("`sockets` requires MSW 3");
});
