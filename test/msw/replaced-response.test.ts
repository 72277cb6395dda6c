import { once } from "node:events";
import { serve } from "@hono/node-server";
import { expect, it, onTestFinished } from "vitest";
import { createClient } from "#current";
import { createMock } from "../../mock/node.ts";
import { NetworkError } from "../../src/index.ts";

it("faults break the connection of an app whose server replaces the global Response, as Hono's does", async () => {
  const before = Response;
  const server = serve({ fetch: () => new Response(), port: 0, hostname: "127.0.0.1" });
  onTestFinished(() => void server.close());
  await once(server, "listening");
  expect(Response).not.toBe(before);
  const mock = createMock();
  onTestFinished(() => mock.close());
  mock.listen();
  const billing = createClient({ accessToken: mock.issueToken(), maxRetries: 0, timeout: 5_000 });
  for (const kind of ["reset", "truncated"] as const) {
    mock.fault({ kind, times: 1 });
    await expect(billing.products.list(), kind).rejects.toThrow(NetworkError);
  }
  expect((await billing.products.list()).items).toEqual([]);
});
