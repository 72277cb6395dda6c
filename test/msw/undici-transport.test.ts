import { Agent } from "undici";
import { describe, expect, it, onTestFinished } from "vitest";
import { createMock } from "../../mock/node.ts";
import { undiciTransport } from "../../src/undici.ts";
import { createClient } from "../../versions/2025-01/index.ts";

const mock = createMock();
const msw3 = mock.handlers.every((handler) => "dispose" in handler);
const accessToken = mock.issueToken();

const ADVICE =
  "MSW does not intercept undici: use `fetch: mock.fetch` instead of `transport`, `mock.listen({ sockets: true })`, or the " +
  "URL of a standalone mock as `baseUrl`";

/** Returns the message of a call through undici where no host name is known. */
async function messageOffline(baseUrl?: string): Promise<string> {
  const lookup = (host: string, _options: object, callback: (error: Error, address: string, family: 4) => void): void =>
    callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${host}`), { code: "ENOTFOUND" }), "", 4);
  const dispatcher = new Agent({ connect: { lookup } });
  onTestFinished(() => dispatcher.destroy());
  const transport = undiciTransport({ dispatcher });
  const { error } = await createClient({ accessToken, baseUrl, transport, maxRetries: 0 }).products.list().safe();
  return error?.message ?? "";
}

describe("a call through undici while the mock listens", () => {
  it("explains that MSW does not intercept it, until the mock is closed", async () => {
    mock.listen();
    const message = await messageOffline();
    expect(message).toContain(`getaddrinfo ENOTFOUND api.billing-service.example; ${ADVICE}`);
    expect(message).toContain("is a placeholder");
    expect(await messageOffline("https://billing.internal")).toMatch(`ENOTFOUND billing.internal; ${ADVICE}`);
    mock.close();
    expect(await messageOffline()).not.toContain("MSW");
  });

  it.runIf(msw3)("is intercepted at the sockets", async () => {
    mock.listen({ sockets: true });
    onTestFinished(() => mock.close());
    const transport = undiciTransport();
    onTestFinished(() => transport.close());
    const { items } = await createClient({ accessToken, transport }).products.list();
    expect(items).toEqual([]);
  });
});
