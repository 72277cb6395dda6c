import { describe, expect, it } from "vitest";
import { createMock } from "../../mock/index.ts";
import { handler, json, receiver } from "./receiver.ts";

describe("the log of deliveries", () => {
  it("keeps request and response as JSON", async () => {
    const mock = createMock({ now: "2025-01-01T00:00:01Z" });
    const { url } = await receiver((response) => response.writeHead(202).end("thanks"));
    const endpoint = mock.webhookEndpoints.create({ url });
    const [event] = mock.webhooks.emit("order.paid", { id: "ord_1" });
    expect(event).toMatchObject({ status: "pending", attempts: 0, attempts_left: 10 });
    await mock.webhooks.idle();
    const [delivery] = mock.webhooks.deliveries.list();
    expect(delivery).toEqual({
      id: `${event?.id}:1`,
      event_id: event?.id,
      endpoint_id: endpoint.id,
      type: "order.paid",
      url,
      attempt: 1,
      at: "2025-01-01T00:00:01.000000Z",
      status: "succeeded",
      headers: {
        "content-type": "application/json",
        "webhook-id": event?.id,
        "webhook-timestamp": "1735689601",
        "webhook-signature": expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
        "webhook-api-version": "2025-01",
      },
      body: event?.body,
      response_status: 202,
      response_body: "thanks",
      error: null,
      duration: expect.any(Number),
    });
    expect(mock.webhooks.events.get(String(event?.id))).toEqual({
      ...event,
      status: "succeeded",
      attempts: 1,
      attempts_left: 0,
      next_attempt_at: null,
    });
    expect(JSON.parse(JSON.stringify(delivery))).toEqual(delivery);
    expect(Object.isFrozen(delivery)).toBe(true);
  });

  it("keeps the first 2,000 characters of a response that never ends", async () => {
    const mock = createMock();
    const { url } = await receiver((response) => {
      const more = () => response.destroyed || response.write("ä".repeat(10_000), more);
      more();
    });
    mock.webhookEndpoints.create({ url });
    mock.webhooks.emit("order.paid", {});
    await mock.webhooks.idle();
    expect(mock.webhooks.deliveries.list()[0]).toMatchObject({
      status: "succeeded",
      response_body: "ä".repeat(2_000),
    });
  });

  it("keeps the newest thousand events and deliveries, and every pending event", async () => {
    const mock = createMock();
    const { handle } = handler();
    mock.webhookEndpoints.create({ url: "https://app.example/hook", events: ["order.paid"] });
    mock.webhookEndpoints.create({ url: "https://app.example/broken", events: ["order.created"] });
    mock.webhooks.receive("https://app.example/hook", handle);
    mock.webhooks.receive("https://app.example/broken", () => new Response(null, { status: 500 }));
    const [pending] = mock.webhooks.emit("order.created", {});
    for (let i = 0; i < 1_100; i++) mock.webhooks.emit("order.paid", { i });
    expect(mock.webhooks.events.size).toBe(1_101);
    await mock.webhooks.idle();
    expect(mock.webhooks.deliveries.size).toBe(1_000);
    expect(mock.webhooks.events.size).toBe(1_000);
    expect(mock.webhooks.events.list()[0]?.id).toBe(pending?.id);
    expect(json(mock.webhooks.events.list().at(-1) as { body: string })["data"]).toEqual({ i: 1_099 });
    mock.reset();
  });

  it("keeps no part of an event that is evicted while its redelivery waits", async () => {
    const mock = createMock();
    const { url } = mock.webhookEndpoints.create({ url: "https://app.example/one", events: ["order.paid"] });
    mock.webhookEndpoints.create({ url: "https://app.example/hangs", events: ["order.created"] });
    let finish = () => {};
    mock.webhooks.receive(url, () => new Promise((resolve) => (finish = () => resolve(new Response()))));
    mock.webhooks.receive("https://app.example/hangs", () => new Promise(() => {}));
    const [event] = mock.webhooks.emit("order.paid", {});
    for (let i = 0; i < 1_000; i++) mock.webhooks.emit("order.created", {});
    mock.webhooks.redeliver(String(event?.id));
    await expect.poll(() => [finish(), mock.webhooks.events.size].at(1)).toBe(1_000);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(mock.webhooks.events.get(String(event?.id))).toBeUndefined();
    expect(mock.webhooks.events.size).toBe(1_000);
    mock.reset();
  });
});
