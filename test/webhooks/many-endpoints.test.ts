import { expect, it } from "vitest";
import { createMock, type Mock } from "../../mock/index.ts";

/** A mock with endpoints that a handler receives for. */
function withEndpoints(count: number, handler: () => Response | Promise<Response>): Mock {
  const mock = createMock();
  for (let index = 0; index < count; index++) {
    const { url } = mock.webhookEndpoints.create({ url: `https://app.example/${index}`, events: ["order.paid"] });
    mock.webhooks.receive(url, handler);
  }
  return mock;
}

it("emit throws instead of making more than 10,000 events pending, until they are delivered or the mock is reset", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const mock = withEndpoints(1_000, () => promise.then(() => new Response()));
  mock.checkpoint();
  const fill = () => {
    for (let times = 0; times < 10; times++) mock.webhooks.emit("order.paid", {});
  };
  fill();
  mock.reset();
  fill();
  expect(() => mock.webhooks.emit("order.paid", {})).toThrow(
    "webhooks.emit: 10000 events are pending, and this one would add 1000; at most 10000 may be pending.",
  );
  expect(mock.webhooks.events.size).toBe(10_000);
  resolve();
  await mock.webhooks.idle();
  expect(mock.webhooks.emit("order.paid", {})).toHaveLength(1_000);
  mock.reset();
});
