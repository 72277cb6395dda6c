import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { defaultAssumptions } from "../../mock/index.ts";
import { receiver } from "./receiver.ts";
import { allTimers, emitted, nextTimer } from "./timers.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const noJitter = { assumptions: { retry: { ...defaultAssumptions.retry, jitter: 0 } } };

describe("the state of deliveries", () => {
  it("reset forgets events, deliveries and the retries that were waiting", async () => {
    const { mock, received } = emitted();
    await mock.webhooks.idle();
    expect(vi.getTimerCount()).toBe(1);
    mock.reset();
    expect(vi.getTimerCount()).toBe(0);
    expect([mock.webhooks.events.size, mock.webhooks.deliveries.size]).toEqual([0, 0]);
    expect(received).toHaveLength(1);
  });

  it("reset ends a delivery that is under way, and nothing of it is kept", async () => {
    let signal: AbortSignal | undefined;
    const { mock, got } = emitted((request) => {
      signal = request.signal;
      return new Promise(() => {});
    });
    const idle = mock.webhooks.idle();
    await got(1);
    mock.reset();
    await idle;
    expect(signal?.aborted).toBe(true);
    expect([mock.webhooks.events.size, mock.webhooks.deliveries.size, vi.getTimerCount()]).toEqual([0, 0, 0]);
  });

  it("reset aborts a delivery over HTTP", async () => {
    const { mock, endpoint } = emitted(() => new Response());
    await mock.webhooks.idle();
    const { url, got } = await receiver(() => {});
    mock.webhookEndpoints.update(endpoint.id, { url });
    mock.webhooks.emit("order.paid", {});
    await got(1);
    mock.reset();
    await mock.webhooks.idle();
    expect(mock.webhooks.deliveries.size).toBe(0);
  });

  it("reset drops events whose delivery has not started", async () => {
    const { mock, received } = emitted();
    mock.reset();
    await mock.webhooks.idle();
    expect(received).toEqual([]);
  });

  it("reset while a delivery is being prepared sends nothing", async () => {
    const times = vi.fn(() => Date.now());
    const { mock, received } = emitted(undefined, { now: times });
    times.mockImplementationOnce(() => {
      mock.reset();
      return Date.now();
    });
    await mock.webhooks.idle();
    expect(received).toEqual([]);
    expect(mock.webhooks.deliveries.size).toBe(0);
  });

  it("restore brings back events and deliveries, and continues from the snapshot", async () => {
    const { mock, received, id, status } = emitted(() => new Response(null, { status: 500 }), noJitter);
    await mock.webhooks.idle();
    await nextTimer(mock);
    const snapshot = mock.snapshot();
    const before = mock.webhooks.events.get(id);
    expect(before).toMatchObject({ attempts: 2, attempts_left: 8 });
    await allTimers(mock);
    expect(status()).toBe("failed");
    expect(received).toHaveLength(10);
    vi.setSystemTime(Date.parse(String(before?.next_attempt_at)) - 1_500);
    mock.restore(snapshot);
    expect(mock.webhooks.events.get(id)).toEqual(before);
    expect(mock.webhooks.deliveries.size).toBe(2);
    expect(await nextTimer(mock)).toBe(1_500);
    expect(mock.webhooks.deliveries.list().map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    await allTimers(mock);
    expect(received).toHaveLength(18);
    expect(status()).toBe("failed");
  });

  it("restore delivers at once what has become due", async () => {
    const { mock, received } = emitted();
    const snapshot = mock.snapshot();
    await mock.webhooks.idle();
    expect(received).toHaveLength(1);
    vi.setSystemTime(Date.now() + 3_600_000);
    mock.restore(snapshot);
    expect(mock.webhooks.deliveries.size).toBe(0);
    await mock.webhooks.idle();
    expect(received).toHaveLength(2);
    expect(received[1]?.headers["webhook-id"]).toBe(received[0]?.headers["webhook-id"]);
    mock.restore(snapshot);
    mock.restore(snapshot);
    await mock.webhooks.idle();
    expect(received).toHaveLength(3);
    mock.reset();
  });

  it("restore does not deliver events that the snapshot had settled", async () => {
    const { mock, received, status } = emitted(() => new Response());
    await mock.webhooks.idle();
    const snapshot = mock.snapshot();
    mock.webhooks.redeliver(String(mock.webhooks.events.list()[0]?.id));
    mock.restore(snapshot);
    await mock.webhooks.idle();
    expect(status()).toBe("succeeded");
    expect(received).toHaveLength(1);
  });

  it("G-DISABLE: disabling an endpoint clears its timers", async () => {
    const retry = { ...defaultAssumptions.retry, attempts: 2, jitter: 0 };
    const { mock, endpoint } = emitted(() => new Response(null, { status: 500 }), {
      assumptions: { retry, disableAfter: 1 },
    });
    await mock.webhooks.idle();
    vi.advanceTimersByTime(retry.firstDelayMs / 2);
    expect(vi.getTimerCount()).toBe(1);
    mock.webhooks.emit("order.paid", {});
    await mock.webhooks.idle();
    expect(vi.getTimerCount()).toBe(2);
    expect(await nextTimer(mock)).toBe(retry.firstDelayMs / 2);
    expect(mock.webhookEndpoints.get(endpoint.id)?.enabled).toBe(false);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("a snapshot contains the consecutive failures of an endpoint", async () => {
    const retry = { ...defaultAssumptions.retry, attempts: 1 };
    const options = { assumptions: { retry, disableAfter: 3 } };
    const { mock, endpoint } = emitted(() => new Response(null, { status: 500 }), options);
    const enabled = () => mock.webhookEndpoints.get(endpoint.id)?.enabled;
    const fail = async () => {
      mock.webhooks.emit("order.paid", {});
      await mock.webhooks.idle();
    };
    await fail();
    const snapshot = mock.snapshot();
    await fail();
    expect(enabled()).toBe(false);
    mock.restore(snapshot);
    expect(enabled()).toBe(true);
    await fail();
    expect(enabled()).toBe(false);
  });
});
