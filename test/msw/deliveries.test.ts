import { HttpResponse, http } from "msw";
import { setupServer } from "msw/node";
import { expect, it, onTestFinished, vi } from "vitest";
import { createMock } from "../../mock/node.ts";
import { startReceiver } from "../support/local-server.ts";

/** Rejects requests without a handler: the first option is for MSW 3, the second for MSW 2. */
const strict: object = { onUnhandledFrame: "error", onUnhandledRequest: "error" };

/** Delivers an event to a server, and returns the types that arrived and the outcome. */
async function deliver(mock: ReturnType<typeof createMock>) {
  const { origin, received } = await startReceiver();
  mock.webhookEndpoints.create({ url: `${origin}/hook` });
  mock.webhooks.emit("order.paid", {});
  await mock.webhooks.idle();
  const [delivery] = mock.webhooks.deliveries.list();
  const types = received.map(({ body }) => JSON.parse(body).type);
  return { types, status: delivery?.status, error: delivery?.error };
}

const arrived = { types: ["order.paid"], status: "succeeded", error: null };

it("deliveries arrive while a mock listens", async () => {
  const mock = createMock();
  mock.listen();
  onTestFinished(() => mock.close());
  expect(await deliver(mock)).toEqual(arrived);
});

it("deliveries bypass an MSW server of the test suite, even a strict one", async () => {
  const server = setupServer(http.all("http://127.0.0.1:*/hook", () => HttpResponse.error()));
  server.listen(strict);
  onTestFinished(() => server.close());
  const outcome = await deliver(createMock());
  expect(outcome).toEqual(arrived);
});

it("deliveries bypass a stubbed fetch", async () => {
  vi.stubGlobal("fetch", () => Promise.reject(new Error("stubbed")));
  expect(await deliver(createMock())).toEqual(arrived);
});
