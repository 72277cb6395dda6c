import { setupServer } from "msw/node";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { createClient } from "#current";
import { createMock } from "../../mock/node.ts";
import { startLocalServer } from "../support/local-server.ts";
import { CURRENT } from "../support/versions.ts";

const mock = createMock();
const msw3 = mock.handlers.every((handler) => "dispose" in handler);
const accessToken = mock.issueToken();
const [production, sandbox] = mock.baseUrls as [string, string];

afterEach(() => mock.close());

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

  it("keeps the records of the time of listen after a reset", async () => {
    const own = createMock();
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

describe("several mocks that listen at the same time", () => {
  const call = [{ name: "api.call", external_customer_id: "acme" }];
  const setUp = () => {
    const mocks = ["one", "two"].map((name) => createMock({ baseUrl: `https://${name}.example` }));
    for (const each of mocks) {
      each.listen();
      onTestFinished(() => each.close());
    }
    return mocks as [typeof mock, typeof mock];
  };
  const clientOf = (own: typeof mock, baseUrl = own.baseUrls.at(-1)) =>
    createClient({ accessToken: own.issueToken(), baseUrl, maxRetries: 0 });

  it("each respond for their own base URL, and continue when one of them closes", async () => {
    const [first, second] = setUp();
    const clients = [clientOf(first), clientOf(second), clientOf(second)];
    await Promise.all(clients.map((client) => client.events.ingest(call)));
    expect([first.events.size, second.events.size]).toEqual([1, 2]);
    second.close();
    await clientOf(first).events.ingest(call);
    expect(first.events.size).toBe(2);
    expect((await clientOf(second).events.ingest(call).safe()).ok).toBe(false);
  });

  it("leave a shared base URL to the one that listened last", async () => {
    const [first, second] = setUp();
    await clientOf(second, sandbox).events.ingest(call);
    second.close();
    await clientOf(first, sandbox).events.ingest(call);
    expect([first.events.size, second.events.size]).toEqual([1, 1]);
  });
});

it.each(["Bun", "Deno"])(
  "listen in %s throws an error with MSW 3, because it would see no requests, and works with MSW 2",
  (runtime) => {
    vi.stubGlobal(runtime, {});
    const own = createMock();
    onTestFinished(() => own.close());
    if (!msw3) return own.listen();
    expect(() => own.listen()).toThrow("MSW 3 intercepts requests only in Node.js. Install msw@2");
  },
);

it.runIf(msw3)("listen throws beside a dispatcher whose requests MSW 3 does not see", async () => {
  const key = Symbol.for("undici.globalDispatcher.1");
  await fetch("http://127.0.0.1:1/").catch(() => {});
  const before = Reflect.get(globalThis, key);
  class EnvHttpProxyAgent {}
  Reflect.set(globalThis, key, new EnvHttpProxyAgent());
  onTestFinished(() => void Reflect.set(globalThis, key, before));
  expect(() => mock.listen()).toThrow("MSW 3 does not see requests that a proxy setting (NODE_USE_ENV_PROXY)");
});
