import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { afterEach, expect, it, onTestFinished, vi } from "vitest";
import { createMock } from "../../mock/node.ts";

afterEach(() => vi.unstubAllGlobals());

/** Refuses what no handler knows: the first name is MSW 3's, the second MSW 2's. */
const strict: object = { onUnhandledFrame: "error", onUnhandledRequest: "error" };

/** A receiver on this machine that notes the types that it is sent. */
async function receiver(): Promise<{ readonly url: string; readonly types: string[] }> {
  const types: string[] = [];
  const server = createServer(async (request, response) => {
    types.push(JSON.parse(Buffer.concat(await request.toArray()).toString()).type);
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, types };
}

/** Has a mock deliver to a real receiver, and says what arrived and what the log holds. */
async function deliver(mock: ReturnType<typeof createMock>) {
  const { url, types } = await receiver();
  mock.webhookEndpoints.create({ url });
  mock.webhooks.emit("order.paid", {});
  await mock.webhooks.idle();
  const [delivery] = mock.webhooks.deliveries.list();
  return { types, status: delivery?.status, error: delivery?.error };
}

const msw3 = createMock().handlers.every((handler) => "dispose" in handler);

const arrived = { types: ["order.paid"], status: "succeeded", error: null };

it("deliveries arrive while the mock listens", async () => {
  const mock = createMock();
  mock.listen();
  onTestFinished(() => mock.close());
  expect(await deliver(mock)).toEqual(arrived);
});

it.runIf(msw3)("deliveries arrive while the mock listens at the sockets", async () => {
  const mock = createMock();
  mock.listen({ sockets: true });
  onTestFinished(() => mock.close());
  expect(await deliver(mock)).toEqual(arrived);
});

it("deliveries pass by an MSW server of the suite that answers everything or refuses what it does not know", async () => {
  const server = setupServer(http.all("http://127.0.0.1:*/hook", () => HttpResponse.error()));
  server.listen(strict);
  onTestFinished(() => server.close());
  const outcome = await deliver(createMock());
  expect(outcome).toEqual(arrived);
});

it("deliveries do not go through a fetch that a test put in place", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new Error("stubbed")));
  expect(await deliver(createMock())).toEqual(arrived);
});
