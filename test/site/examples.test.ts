import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { build } from "esbuild";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { createMock } from "../../mock/index.ts";
import { type MockServer, startServer } from "../../mock/server.ts";
import { documentOf } from "../../scripts/generate/version-source.ts";
import type { Example } from "../../site/operations/examples.ts";
import { type OperationDocs, operationDocs } from "../../site/operations/operation-docs.ts";
import { SAMPLE_ID } from "../../site/operations/sample-of.ts";
import { ROOT } from "../../site/paths.ts";
import { siteVersions } from "../../site/versions.ts";

const run = promisify(execFile);
const endpoint = { id: SAMPLE_ID };

/** Runs a program of the reference, and returns what it prints. */
async function printed({ code }: Example): Promise<unknown> {
  const { outputFiles } = await build({
    stdin: { contents: code, loader: "ts", resolveDir: ROOT },
    bundle: true,
    write: false,
    format: "esm",
    platform: "node",
    alias: { "@billing-service/sdk/mock": `${ROOT}mock`, "@billing-service/sdk": `${ROOT}versions` },
  });
  const log = vi.spyOn(console, "log").mockImplementation(() => {});
  await import(`data:text/javascript;base64,${Buffer.from(outputFiles[0]?.contents ?? "").toString("base64")}`);
  expect(log).toHaveBeenCalledTimes(1);
  return log.mock.calls[0]?.[0];
}

const exampleOf = (operation: OperationDocs, title: Example["title"]) =>
  operation.examples.find((example) => example.title === title) as Example;

let server: MockServer;
beforeAll(async () => {
  server = await startServer();
  server.mock.webhookEndpoints.create(endpoint);
});
afterAll(() => server.close());
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

for (const { name } of siteVersions()) {
  const operations = await operationDocs(name, await documentOf(name));
  const named = operations.map((operation) => [`${operation.resource}.${operation.method}`, operation] as const);
  describe.each(named)(`${name}: the examples of %s`, (_name, operation) => {
    it("for the client", async () => {
      const mock = createMock();
      mock.webhookEndpoints.create(endpoint);
      vi.spyOn(globalThis, "fetch").mockImplementation(mock.fetch);
      vi.stubEnv("BILLING_TOKEN", mock.issueToken({ scopes: [...operation.scopes] as never[] }));
      expect(await printed(exampleOf(operation, "Client"))).toBeTypeOf("object");
      expect(mock.requests.last()).toMatchObject({ operation: operation.id, versionUsed: name });
    });

    it("for the mock", async () => {
      expect(await printed(exampleOf(operation, "Mock"))).toBeTypeOf("object");
    });

    it("for curl", async () => {
      const env = { PATH: process.env["PATH"], BILLING_URL: server.url, BILLING_TOKEN: server.mock.issueToken() };
      const [status] = operation.responses.map((response) => response.status);
      const { code } = exampleOf(operation, "curl");
      const { stdout } = await run("bash", ["-c", code.replace("curl ", 'curl -s -w "\\n%{http_code}" ')], { env });
      expect(stdout.trimEnd().split("\n").at(-1)).toBe(String(status));
      expect(server.mock.requests.last()).toMatchObject({ operation: operation.id, versionUsed: name });
    });
  });
}
