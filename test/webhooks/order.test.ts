import { describe, expect, it } from "vitest";
import { createMock } from "../../mock/index.ts";
import { handler, json, receiver } from "./receiver.ts";

const paths = ["/a", "/b", "/c", "/d"];

describe("many deliveries at once", () => {
  it("reach each endpoint in order and one at a time, and different endpoints in parallel", async () => {
    const mock = createMock();
    const waiting: (() => void)[] = [];
    const receivers = await Promise.all(
      paths.map(() =>
        receiver((response) => {
          // No receiver responds before every endpoint has received its next event.
          waiting.push(() => response.end());
          if (waiting.length === paths.length) for (const end of waiting.splice(0)) end();
        }),
      ),
    );
    for (const { url } of receivers) mock.webhookEndpoints.create({ url });
    for (let i = 0; i < 10; i++) mock.webhooks.emit("order.paid", i);
    await mock.webhooks.idle();
    for (const { received, mostAtOnce } of receivers) {
      expect(received.map((got) => json(got)["data"])).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
      expect(mostAtOnce).toBe(1);
    }
  });

  it("do not wait for a receiver of another endpoint that hangs", async () => {
    const mock = createMock();
    const hangs = mock.webhookEndpoints.create({ url: "https://app.example/hangs" });
    const works = mock.webhookEndpoints.create({ url: "https://app.example/works" });
    const { received, handle } = handler();
    mock.webhooks.receive(hangs.url, () => new Promise(() => {}));
    mock.webhooks.receive(works.url, handle);
    for (let i = 0; i < 5; i++) mock.webhooks.emit("order.paid", i);
    await expect.poll(() => received.length).toBe(5);
    mock.reset();
    await mock.webhooks.idle();
  });

  it("do not wait for an earlier event that waits for a retry", async () => {
    const mock = createMock();
    const { url } = mock.webhookEndpoints.create();
    const seen: unknown[] = [];
    mock.webhooks.receive(url, async (request) => {
      const { data } = await request.json();
      seen.push(data);
      return new Response(null, { status: data === 0 ? 500 : 200 });
    });
    for (let i = 0; i < 3; i++) mock.webhooks.emit("order.paid", i);
    await mock.webhooks.idle();
    expect(seen).toEqual([0, 1, 2]);
    expect(mock.webhooks.events.list().map(({ status }) => status)).toEqual(["pending", "succeeded", "succeeded"]);
    mock.reset();
  });

  it("are awaited by idle, including those that a handler emits; idle resolves at once if nothing is due", async () => {
    const mock = createMock();
    await mock.webhooks.idle();
    const { url } = mock.webhookEndpoints.create();
    mock.webhooks.receive(url, async (request) => {
      const { type } = await request.json();
      if (type === "order.paid") mock.webhooks.emit("subscription.active", {});
      return new Response();
    });
    mock.webhooks.emit("order.paid", {});
    await mock.webhooks.idle();
    expect(mock.webhooks.deliveries.list().map(({ type }) => type)).toEqual(["order.paid", "subscription.active"]);
  });

  it("start after emit has returned", () => {
    const mock = createMock();
    const { received, handle } = handler();
    mock.webhooks.receive(mock.webhookEndpoints.create().url, handle);
    mock.webhooks.emit("order.paid", {});
    expect(received).toEqual([]);
    mock.reset();
  });

  it("are separate for two mocks in a process", async () => {
    const [one, two] = [createMock({ seed: 1 }), createMock({ seed: 1 })];
    const [first, second] = [handler(), handler()];
    const { url } = one.webhookEndpoints.create();
    two.webhookEndpoints.create({ url });
    one.webhooks.receive(url, first.handle);
    two.webhooks.receive(url, second.handle);
    one.webhooks.emit("order.paid", {});
    await Promise.all([one.webhooks.idle(), two.webhooks.idle()]);
    expect([first.received.length, second.received.length]).toEqual([1, 0]);
    expect([one.webhooks.deliveries.size, two.webhooks.deliveries.size]).toEqual([1, 0]);
  });

  it("are identical for the same seed and time", async () => {
    const run = async () => {
      const mock = createMock({ seed: 3, now: "2025-01-01T00:00:00Z" });
      for (const path of paths) {
        const { url } = mock.webhookEndpoints.create({ url: `https://app.example${path}` });
        mock.webhooks.receive(url, async () => {
          await new Promise((resolve) => setTimeout(resolve, Math.random() * 5));
          return new Response();
        });
      }
      for (let i = 0; i < 3; i++) mock.webhooks.emit("order.paid", i);
      await mock.webhooks.idle();
      const made = mock.webhooks.deliveries.list().map(({ duration: _, ...delivery }) => delivery);
      return { made: made.sort((a, b) => (a.id < b.id ? -1 : 1)), next: mock.customers.create().id };
    };
    expect(await run()).toEqual(await run());
  });
});
