import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createMock, defaultAssumptions, type Mock, type MockOptions } from "../../mock/index.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** A mock whose `now` throws while `clock.isBroken`, with an endpoint that responds with `status`. */
function brokenClock(status: number, assumptions: MockOptions["assumptions"] = {}) {
  const clock = { isBroken: false };
  const now = () => {
    if (clock.isBroken) throw new Error("the clock stopped");
    return Date.now();
  };
  const mock = createMock({ now, assumptions });
  const { url } = mock.webhookEndpoints.create();
  mock.webhooks.receive(url, () => new Response(null, { status }));
  return { clock, mock };
}

const eventOf = (mock: Mock) => mock.webhooks.events.list()[0];

describe("a `now` function that throws while a webhook is delivered", () => {
  it("fails the attempt, and the next one is made as usual", async () => {
    const { clock, mock } = brokenClock(200);
    mock.webhooks.emit("order.paid", {});
    clock.isBroken = true;
    await mock.webhooks.idle();
    expect(mock.webhooks.deliveries.list()).toMatchObject([
      { status: "failed", error: "The `now` function failed: the clock stopped", headers: {} },
    ]);
    expect(eventOf(mock)).toMatchObject({ status: "pending", attempts: 1 });
    clock.isBroken = false;
    await vi.advanceTimersByTimeAsync(Date.parse(eventOf(mock)?.next_attempt_at as string) - Date.now());
    await mock.webhooks.idle();
    expect(eventOf(mock)).toMatchObject({ status: "succeeded", attempts: 2 });
  });

  it("still disables the endpoint after too many failures", async () => {
    const retry = { ...defaultAssumptions.retry, attempts: 1 };
    const { clock, mock } = brokenClock(500, { retry, disableAfter: 1 });
    mock.webhooks.emit("order.paid", {});
    clock.isBroken = true;
    await mock.webhooks.idle();
    expect(eventOf(mock)?.status).toBe("failed");
    expect(mock.webhookEndpoints.list()[0]?.enabled).toBe(false);
  });

  it("does not stop a redelivery that waits for its turn", async () => {
    const { clock, mock } = brokenClock(200);
    mock.webhooks.emit("order.paid", {});
    await mock.webhooks.idle();
    mock.webhooks.redeliver(eventOf(mock)?.id as string);
    clock.isBroken = true;
    await mock.webhooks.idle();
    expect(eventOf(mock)).toMatchObject({ status: "failed", attempts: 2 });
  });

  it("does not leave a restored state without its deliveries", async () => {
    const { clock, mock } = brokenClock(200);
    mock.webhooks.emit("order.paid", {});
    const snapshot = mock.snapshot();
    await mock.webhooks.idle();
    clock.isBroken = true;
    mock.restore(snapshot);
    await mock.webhooks.idle();
    expect(eventOf(mock)).toMatchObject({ status: "pending", attempts: 1 });
  });
});
