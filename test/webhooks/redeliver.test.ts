import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createMock, defaultAssumptions } from "../../mock/index.ts";
import type { Received } from "./receiver.ts";
import { allTimers, emitted, nextTimer, untilNextAttempt } from "./timers.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("a redelivery", () => {
  it("DEL-6: repeats id, payload and version with a new signature", async () => {
    const { mock, received, id } = emitted(() => new Response());
    await mock.webhooks.idle();
    vi.setSystemTime(Date.now() + 60_000);
    mock.webhooks.redeliver(id);
    expect(mock.webhooks.events.get(id)?.status).toBe("pending");
    await mock.webhooks.idle();
    const [first, second] = received as [Received, Received];
    expect(second.body).toBe(first.body);
    expect(second.headers["webhook-id"]).toBe(first.headers["webhook-id"]);
    expect(second.headers["webhook-api-version"]).toBe(first.headers["webhook-api-version"]);
    expect(Number(second.headers["webhook-timestamp"]) - Number(first.headers["webhook-timestamp"])).toBe(60);
    expect(second.headers["webhook-signature"]).not.toBe(first.headers["webhook-signature"]);
    expect(mock.webhooks.deliveries.list().map(({ attempt }) => attempt)).toEqual([1, 2]);
    expect(mock.webhooks.events.get(id)).toMatchObject({ status: "succeeded", attempts: 2 });
  });

  it("has its own attempts, and replaces a waiting retry", async () => {
    const { mock, received, id, status } = emitted();
    await mock.webhooks.idle();
    await nextTimer(mock);
    expect(received).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(1);
    mock.webhooks.redeliver(id);
    await mock.webhooks.idle();
    expect(received).toHaveLength(3);
    expect(vi.getTimerCount()).toBe(1);
    expect(await allTimers(mock)).toHaveLength(9);
    expect(received).toHaveLength(12);
    expect(status()).toBe("failed");
    expect(mock.webhooks.deliveries.list().at(-1)?.attempt).toBe(12);
  });

  it("G-RETRY: is one attempt once the attempts of the event are over", async () => {
    const { mock, received, id, status } = emitted();
    await mock.webhooks.idle();
    await allTimers(mock);
    expect([received.length, status()]).toEqual([10, "failed"]);
    mock.webhooks.redeliver(id);
    await mock.webhooks.idle();
    expect([received.length, status()]).toEqual([11, "failed"]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("is not affected by a retry that becomes due meanwhile", async () => {
    let finish = () => {};
    const { mock, received, got, id } = emitted(async () => {
      if (received.length > 1) await new Promise<void>((resolve) => (finish = resolve));
      return new Response(null, { status: 500 });
    });
    await mock.webhooks.idle();
    const wait = untilNextAttempt(mock, id);
    expect(wait).toBeGreaterThan(0);
    expect(wait).toBeLessThan(defaultAssumptions.retry.timeoutMs);
    mock.webhooks.redeliver(id);
    await got(2);
    expect(mock.webhooks.deliveries.size).toBe(1);
    vi.advanceTimersByTime(wait);
    finish();
    await mock.webhooks.idle();
    expect(mock.webhooks.deliveries.size).toBe(2);
    expect(received).toHaveLength(2);
    mock.reset();
  });

  it("delivers again if the first delivery is still under way", async () => {
    const { mock, received, id, status } = emitted(() => new Response());
    mock.webhooks.redeliver(id);
    await mock.webhooks.idle();
    expect(received).toHaveLength(2);
    expect(status()).toBe("succeeded");
  });

  it("throws for an unknown event", () => {
    const mock = createMock();
    expect(() => mock.webhooks.redeliver("nothing")).toThrow(
      new TypeError('webhooks.redeliver: unknown event "nothing".'),
    );
  });
});
