import { spawnSync } from "node:child_process";
import { createRequire } from "node:module";
import { describe, expect, it, onTestFinished } from "vitest";
import { CURRENT } from "../support/versions.ts";

interface Copy {
  readonly client: typeof import("#current");
  readonly root: typeof import("../../src/index.ts");
  readonly mocks: typeof import("../../mock/index.ts");
  readonly servers: typeof import("../../mock/server.ts");
  readonly connections: typeof import("../../mock/connect.ts");
}

const require = createRequire(import.meta.url);
const dist = (name: string) => new URL(`../../dist/${name}`, import.meta.url);

async function copy(load: (name: string) => unknown): Promise<Copy> {
  const [client, root, mocks, servers, connections] = await Promise.all(
    [`versions/${CURRENT}/index`, "index", "mock/index", "mock/server", "mock/connect"].map(load),
  );
  return { client, root, mocks, servers, connections } as Copy;
}

const esm = await copy((name) => import(dist(`${name}.js`).href));
const commonJs = await copy((name) => require(dist(`${name}.cjs`).pathname));

describe.each([
  ["an ES module", "CommonJS", esm, commonJs],
  ["CommonJS", "an ES module", commonJs, esm],
])("%s and %s in one program", (_one, _other, one, other) => {
  it("are two copies: the client of one calls the mock of the other, whose guards recognize its errors", async () => {
    expect(one.root.ApiError).not.toBe(other.root.ApiError);
    const { fetch, events, issueToken } = one.mocks.createMock();
    const billing = other.client.createClient({ accessToken: issueToken(), fetch });
    await billing.events.ingest([{ name: "api.call", external_customer_id: "acme" }]);
    expect(events.size).toBe(1);
    const { error: rejected } = await billing.products.list({}, { accessToken: "unknown-token" }).safe();
    const { error: invalid } = await billing.webhooks.getEndpoint("").safe();
    expect([rejected, invalid].map(one.root.isBillingError)).toEqual([true, true]);
    expect([rejected, invalid].map((error) => one.root.isApiError(error, 401))).toEqual([true, false]);
    expect([rejected, invalid].map(one.root.isInvalidInputError)).toEqual([false, true]);
  });

  it("connect a mock of one to a server of the other, which serves the inspector", async () => {
    const server = await one.servers.startServer();
    onTestFinished(() => server.close());
    expect(await other.connections.connectMock(server.url).users.size).toBe(1);
    const page = await fetch(`${server.url}/__mock/`, { headers: { accept: "text/html" } });
    expect([page.status, page.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  });
});

it("in a CommonJS program, also in a simulated browser, the mock for Node.js intercepts requests", () => {
  const program = `
    globalThis.document = { baseURI: "http://localhost/" };
    const { createMock } = require("@billing-service/sdk/mock/node");
    const { createClient } = require("@billing-service/sdk/${CURRENT}");
    const mock = createMock();
    mock.listen();
    createClient({ accessToken: mock.issueToken() }).products.list().then(({ items }) => {
      console.log(items.length);
      mock.close();
    });
  `;
  const { stdout } = spawnSync(process.execPath, ["--input-type=commonjs", "--eval", program], { encoding: "utf8" });
  expect(stdout).toBe("0\n");
});
