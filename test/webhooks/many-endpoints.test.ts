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

it("at most fifty endpoints receive deliveries at the same time, and all of them eventually", async () => {
  const waiting: (() => void)[] = [];
  const most = { running: 0, seen: 0 };
  const mock = withEndpoints(120, async () => {
    most.running += 1;
    most.seen = Math.max(most.seen, most.running);
    await new Promise<void>((resolve) => waiting.push(resolve));
    most.running -= 1;
    return new Response();
  });
  mock.webhooks.emit("order.paid", {});
  const idle = mock.webhooks.idle();
  let delivered = 0;
  while (delivered < 120) {
    await expect.poll(() => waiting.length).toBe(Math.min(50, 120 - delivered));
    delivered += waiting.length;
    for (const answer of waiting.splice(0)) answer();
  }
  await idle;
  expect(most.seen).toBe(50);
  expect(mock.webhooks.events.list().map(({ status }) => status)).toEqual(Array(120).fill("succeeded"));
});

it("emit throws instead of making more than 10,000 events pending, until they are delivered or the state is restored", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const mock = withEndpoints(1_000, () => promise.then(() => new Response()));
  const start = mock.snapshot();
  const fill = () => {
    for (let times = 0; times < 10; times++) mock.webhooks.emit("order.paid", {});
  };
  fill();
  mock.restore(start);
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
