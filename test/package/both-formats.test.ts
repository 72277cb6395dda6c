import { createRequire } from "node:module";
import { describe, expect, it, onTestFinished } from "vitest";

type Client = typeof import("../../versions/2025-01/index.ts");
type Root = typeof import("../../src/index.ts");
type Mocks = typeof import("../../mock/index.ts");
type Servers = typeof import("../../mock/server.ts");
type Connections = typeof import("../../mock/connect.ts");

interface Copy {
  readonly client: Client;
  readonly root: Root;
  readonly mocks: Mocks;
  readonly servers: Servers;
  readonly connections: Connections;
}

const require = createRequire(import.meta.url);
const dist = (name: string) => new URL(`../../dist/${name}`, import.meta.url);

async function copy(load: (name: string) => unknown): Promise<Copy> {
  const [client, root, mocks, servers, connections] = await Promise.all(
    ["versions/2025-01/index", "index", "mock/index", "mock/server", "mock/connect"].map(load),
  );
  return { client, root, mocks, servers, connections } as Copy;
}

const esm = await copy((name) => import(dist(`${name}.js`).href));
const commonJs = await copy((name) => require(dist(`${name}.cjs`).pathname));

describe.each([
  ["an ES module", "CommonJS", esm, commonJs],
  ["CommonJS", "an ES module", commonJs, esm],
])("%s and %s in one program", (_one, _other, one, other) => {
  it("are two copies", () => {
    expect(one.root.ApiError).not.toBe(other.root.ApiError);
  });

  it("the client of one calls the mock of the other", async () => {
    const mock = one.mocks.createMock();
    const billing = other.client.createClient({ accessToken: mock.issueToken(), fetch: mock.fetch });
    await billing.events.ingest([{ name: "api.call", external_customer_id: "acme" }]);
    expect(mock.events.size).toBe(1);
  });

  it("the guards of one recognize the errors of the other", async () => {
    const mock = one.mocks.createMock();
    const billing = one.client.createClient({ accessToken: "unknown-token", fetch: mock.fetch });
    const rejected: unknown = await billing.products.list().catch((error: unknown) => error);
    const invalid: unknown = await billing.webhooks.getEndpoint("").catch((error: unknown) => error);
    expect([rejected, invalid].map(other.root.isBillingError)).toEqual([true, true]);
    expect([rejected, invalid].map((error) => other.root.isApiError(error, 401))).toEqual([true, false]);
    expect([rejected, invalid].map(other.root.isInvalidInputError)).toEqual([false, true]);
  });

  it("connectMock of one calls a server of the other", async () => {
    const server = await one.servers.startServer();
    onTestFinished(() => server.close());
    expect(await other.connections.connectMock(server.url).users.size).toBe(1);
  });
});
