import { describe, expect, it } from "vitest";
import { createClient } from "../../versions/2025-01/index.ts";
import { closedPort, json, type Reply, reset, serve, stall, text } from "./service.ts";
import { TOKEN, tinyClient } from "./tiny-contract.ts";

/** Awaits a call. The stack of its error must contain the name of this function. */
async function loadTheDashboard(call: () => Promise<unknown>): Promise<unknown> {
  return await call();
}

async function stackOf(run: Promise<unknown>): Promise<string | undefined> {
  const error: unknown = await run.catch((reason: unknown) => reason);
  return error instanceof Error ? error.stack : undefined;
}

const failures: [name: string, reply: Reply][] = [
  ["the service responds with an error", json(404, { error: "Gone", detail: "no t1" })],
  ["the response does not match the contract", text(200, "<p>")],
  ["another version answers", json(200, {}, { "service-version": "1999-01" })],
  ["the connection is lost", reset],
];

describe("the stack of a failed call names the function that awaits it", () => {
  it.each(failures)("when %s", async (_, reply) => {
    const client = tinyClient({ baseUrl: (await serve(reply)).baseUrl, maxRetries: 0 });
    expect(await stackOf(loadTheDashboard(() => client.read("t1")))).toContain("loadTheDashboard");
  });

  it("when the connection is refused", async () => {
    const client = tinyClient({ baseUrl: await closedPort(), maxRetries: 0 });
    expect(await stackOf(loadTheDashboard(() => client.read("t1")))).toContain("loadTheDashboard");
  });

  it("after a retry", async () => {
    const client = tinyClient({ baseUrl: (await serve(json(503, {}, { "retry-after": "0" }))).baseUrl });
    expect(await stackOf(loadTheDashboard(() => client.read("t1")))).toContain("loadTheDashboard");
  });

  it("when the timeout expires", async () => {
    const client = tinyClient({ baseUrl: (await serve(stall)).baseUrl, timeout: 20, maxRetries: 0 });
    const stack = await stackOf(loadTheDashboard(() => client.read("t1")));
    expect(stack).toMatch(/^TimeoutError: things:read: /);
    expect(stack).toContain("loadTheDashboard");
  });

  it.each([
    ["the request", stall],
    ["the wait for a retry", json(503, {}, { "retry-after": "30" })],
  ])("when the caller aborts %s", async (_, reply) => {
    const service = await serve(reply);
    const controller = new AbortController();
    const client = tinyClient({ baseUrl: service.baseUrl, timeout: 60_000 });
    const stack = stackOf(loadTheDashboard(() => client.read("t1", { signal: controller.signal })));
    await service.replied(1);
    controller.abort();
    expect(await stack).toContain("loadTheDashboard");
  });

  it("with withResponse()", async () => {
    const client = tinyClient({ baseUrl: (await serve(json(404, {}))).baseUrl });
    expect(await stackOf(loadTheDashboard(() => client.read("t1").withResponse()))).toContain("loadTheDashboard");
  });

  it("with safe()", async () => {
    const client = tinyClient({ baseUrl: (await serve(json(404, {}))).baseUrl });
    const result = await loadTheDashboard(() => client.read("t1").safe());
    expect((result as { error: Error }).error.stack).toContain("loadTheDashboard");
  });

  it("when a list fails", async () => {
    const { products } = createClient({ accessToken: TOKEN, baseUrl: await closedPort(), maxRetries: 0 });
    expect(await stackOf(loadTheDashboard(() => products.list()))).toContain("loadTheDashboard");
  });

  it("when an argument is invalid", async () => {
    expect(await stackOf(loadTheDashboard(() => tinyClient().read("")))).toContain("loadTheDashboard");
  });
});
