import { describe, expect, it, onTestFinished } from "vitest";
import { createMock } from "../../mock/node.ts";
import { undiciTransport } from "../../src/undici.ts";
import { createClient } from "../../versions/2025-01/index.ts";

const mock = createMock();
const msw3 = mock.handlers.every((handler) => "dispose" in handler);
const accessToken = mock.issueToken();

describe("a call through undici while the mock listens", () => {
  it.runIf(msw3)("is intercepted at the sockets", async () => {
    mock.listen({ sockets: true });
    onTestFinished(() => mock.close());
    const transport = undiciTransport();
    onTestFinished(() => transport.close());
    const { items } = await createClient({ accessToken, transport }).products.list();
    expect(items).toEqual([]);
  });
});
