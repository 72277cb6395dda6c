import { describe, expect, it, onTestFinished, vi } from "vitest";
import { type Assumptions, createMock, defaultAssumptions, type Mock } from "../../mock/index.ts";
import { allTimers } from "./timers.ts";

const url = "https://app.example/hook";

/** Allows one attempt per event, so that an event fails immediately. */
const once = { attempts: 1, timeoutMs: 1_000, firstDelayMs: 0, maxDelayMs: 0, jitter: 0 };

/** Creates a mock with an endpoint whose receiver responds as the test says. */
function failing(assumptions: Partial<Assumptions> = { retry: once }) {
  const mock = createMock({ assumptions, now: "2025-01-01T00:00:01Z" });
  const { id } = mock.webhookEndpoints.create({ url });
  const receiver = { status: 500, received: 0 };
  mock.webhooks.receive(url, () => {
    receiver.received += 1;
    return new Response(null, { status: receiver.status });
  });
  return { mock, receiver, endpoint: () => mock.webhookEndpoints.get(id), id };
}

async function emit(mock: Mock, times: number): Promise<void> {
  for (let i = 0; i < times; i++) mock.webhooks.emit("order.paid", { i });
  await mock.webhooks.idle();
}

describe("an endpoint whose deliveries fail (G-DISABLE)", () => {
  it("G-DISABLE: is disabled after ten consecutive failed events", async () => {
    const { mock, endpoint } = failing();
    await emit(mock, 9);
    expect(endpoint()).toMatchObject({ enabled: true, modified_at: null });
    await emit(mock, 1);
    expect(endpoint()).toMatchObject({ enabled: false, modified_at: "2025-01-01T00:00:01.000000Z" });
    expect(mock.webhooks.emit("order.paid", {})).toEqual([]);
    expect(defaultAssumptions.disableAfter).toBe(10);
  });

  it("G-DISABLE: has its pending events skipped, and no others", async () => {
    const { mock, receiver } = failing();
    const other = mock.webhookEndpoints.create({ url: "https://app.example/other" });
    mock.webhooks.receive(other.url, () => new Response());
    await emit(mock, 15);
    expect(receiver.received).toBe(10);
    const counts = Object.entries(Object.groupBy(mock.webhooks.events.list(), ({ status }) => status));
    expect(Object.fromEntries(counts.map(([status, events]) => [status, events?.length]))).toEqual({
      failed: 10,
      skipped: 5,
      succeeded: 15,
    });
    const skipped = mock.webhooks.events.list().filter(({ status }) => status === "skipped");
    expect(skipped.every(({ attempts_left, next_attempt_at }) => attempts_left === 0 && next_attempt_at === null)).toBe(
      true,
    );
  });

  it("G-DISABLE: is disabled by failed events, not attempts, and has events that wait for a retry skipped", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const retry = { attempts: 3, timeoutMs: 1_000, firstDelayMs: 20, maxDelayMs: 20, jitter: 0 };
    const { mock, receiver, endpoint } = failing({ retry, disableAfter: 2 });
    await emit(mock, 1);
    mock.webhooks.redeliver(String(mock.webhooks.events.list()[0]?.id));
    await emit(mock, 2);
    expect(endpoint()?.enabled).toBe(true);
    await allTimers(mock);
    expect(endpoint()?.enabled).toBe(false);
    expect(mock.webhooks.events.list().map(({ status }) => status)).toEqual(["failed", "failed", "skipped"]);
    // Of the first event: one attempt, then three of its redelivery. Of the second: all three. Of the third: the two
    // before the second failed.
    expect(receiver.received).toBe(1 + 3 + 3 + 2);
    expect(mock.webhooks.deliveries.size).toBe(receiver.received);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("G-DISABLE: starts a new count after a success, and when it is enabled again", async () => {
    const { mock, receiver, endpoint, id } = failing();
    await emit(mock, 9);
    receiver.status = 200;
    await emit(mock, 1);
    receiver.status = 500;
    await emit(mock, 9);
    expect(endpoint()?.enabled).toBe(true);
    await emit(mock, 1);
    expect(endpoint()?.enabled).toBe(false);
    mock.webhookEndpoints.update(id, { enabled: true });
    await emit(mock, 9);
    expect(endpoint()?.enabled).toBe(true);
  });

  it("G-DISABLE: counts an event once that fails again when it is redelivered", async () => {
    const { mock, endpoint } = failing();
    await emit(mock, 1);
    const [event] = mock.webhooks.events.list();
    for (let i = 0; i < 12; i++) mock.webhooks.redeliver(String(event?.id));
    await mock.webhooks.idle();
    expect(mock.webhooks.deliveries.size).toBe(13);
    expect(endpoint()?.enabled).toBe(true);
  });

  it("G-DISABLE: stays deleted, or disabled with the same modified_at", async () => {
    let second = 0;
    const now = () => Date.UTC(2025, 0, 1, 0, 0, second);
    const mock = createMock({ assumptions: { retry: once, disableAfter: 1 }, now });
    const [gone, off] = [mock.webhookEndpoints.create({ url }), mock.webhookEndpoints.create({ url: `${url}/2` })];
    mock.webhooks.receive(gone.url, () => {
      mock.webhookEndpoints.delete(gone.id);
      return new Response(null, { status: 500 });
    });
    mock.webhooks.receive(off.url, () => {
      mock.webhookEndpoints.update(off.id, { enabled: false });
      second = 1;
      return new Response(null, { status: 500 });
    });
    await emit(mock, 1);
    expect(mock.webhooks.deliveries.list().map(({ status }) => status)).toEqual(["failed", "failed"]);
    const modified_at = "2025-01-01T00:00:00.000000Z";
    expect(mock.webhookEndpoints.list()).toEqual([{ ...off, enabled: false, modified_at }]);
  });

  it("G-DISABLE: is disabled after another number of events, or never for Infinity", async () => {
    const three = failing({ retry: once, disableAfter: 3 });
    await emit(three.mock, 5);
    expect(three.receiver.received).toBe(3);
    expect(three.endpoint()?.enabled).toBe(false);
    const never = failing({ retry: once, disableAfter: null });
    await emit(never.mock, 50);
    expect(never.receiver.received).toBe(50);
    expect(never.endpoint()?.enabled).toBe(true);
  });
});
