import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { defaultAssumptions } from "../../mock/index.ts";
import { handler, originalSignature, type Received } from "./receiver.ts";
import { allTimers, emitted, failing, nextTimer } from "./timers.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe("retries (G-RETRY)", () => {
  it("G-RETRY: make ten attempts with delays that double from 2 s and are shortened by at most half", async () => {
    const { mock, received, id, status } = emitted();
    await mock.webhooks.idle();
    expect(received).toHaveLength(1);
    const waits = await allTimers(mock);
    expect(waits).toHaveLength(9);
    for (const [i, wait] of waits.entries()) {
      expect(wait).toBeGreaterThan(1_000 * 2 ** i);
      expect(wait).toBeLessThanOrEqual(2_000 * 2 ** i);
    }
    // Each delay is shortened by another part.
    expect(new Set(waits.map((wait, i) => Math.round(wait / 2 ** i))).size).toBe(9);
    expect(received).toHaveLength(10);
    expect(status()).toBe("failed");
    expect(mock.webhooks.events.get(id)).toMatchObject({ attempts: 10, attempts_left: 0, next_attempt_at: null });
    const log = mock.webhooks.deliveries.list();
    expect(log.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(log.every((each) => each.response_status === 500 && each.response_body === "no" && !each.error)).toBe(true);
  });

  it("G-RETRY: never wait longer than 20 minutes", async () => {
    const { retry } = defaultAssumptions;
    expect(retry).toEqual({
      attempts: 10,
      timeoutMs: 10_000,
      firstDelayMs: 2_000,
      maxDelayMs: 1_200_000,
      jitter: 0.5,
    });
    const { mock } = emitted(failing, { assumptions: { retry: { ...retry, attempts: 14, jitter: 0 } } });
    await mock.webhooks.idle();
    expect((await allTimers(mock)).slice(-5)).toEqual([512_000, 1_024_000, 1_200_000, 1_200_000, 1_200_000]);
  });

  it("G-RETRY: follow another policy", async () => {
    const retry = { attempts: 4, timeoutMs: 50, firstDelayMs: 100, maxDelayMs: 300, jitter: 0 };
    const { mock, received, status } = emitted(failing, { assumptions: { retry } });
    await mock.webhooks.idle();
    expect(await allTimers(mock)).toEqual([100, 200, 300]);
    expect(received).toHaveLength(4);
    expect(status()).toBe("failed");
  });

  it("happen at once without a delay", async () => {
    const retry = { attempts: 3, timeoutMs: 50, firstDelayMs: 0, maxDelayMs: 0, jitter: 0 };
    const { mock, received, status } = emitted(failing, { assumptions: { retry } });
    await mock.webhooks.idle();
    expect(received).toHaveLength(3);
    expect(status()).toBe("failed");
  });

  it("end after 1,000 attempts, the most that can be set, with and without delays", async () => {
    const most = { attempts: 1_000, timeoutMs: 50, firstDelayMs: 0, maxDelayMs: 2 ** 31 - 1, jitter: 0 };
    const instant = emitted(failing, { assumptions: { retry: most } });
    await instant.mock.webhooks.idle();
    expect(instant.received).toHaveLength(1_000);
    expect(instant.status()).toBe("failed");
    const delayed = emitted(failing, { assumptions: { retry: { ...most, firstDelayMs: most.maxDelayMs } } });
    await delayed.mock.clock.advance({ milliseconds: 999 * most.maxDelayMs });
    expect(delayed.received).toHaveLength(1_000);
    expect(delayed.status()).toBe("failed");
  });

  it("have the same delays for the same seed, whatever else is delivered", async () => {
    const waits = async (seed: number, others: number) => {
      const { mock } = emitted(failing, { seed });
      const done = mock.webhookEndpoints.create({ url: "https://app.example/other" });
      mock.webhooks.receive(done.url, () => new Response());
      await mock.webhooks.idle();
      const first = mock.webhooks.events.list()[0]?.id;
      for (let i = 0; i < others; i++) mock.webhooks.emit("order.created", {});
      mock.webhooks.receive("http://localhost:3000/webhooks", (request) =>
        request.headers.get("webhook-id") === first ? failing(request) : new Response(),
      );
      await mock.webhooks.idle();
      return allTimers(mock);
    };
    const once = await waits(7, 0);
    expect(await waits(7, 0)).toEqual(once);
    expect(await waits(7, 3)).toEqual(once);
    expect(await waits(8, 0)).not.toEqual(once);
  });

  it("G-RETRY, DEL-6: repeat id, version and body, with a new timestamp and signature", async () => {
    let answers = 0;
    const { mock, received, endpoint, status } = emitted(
      () => new Response(null, { status: ++answers < 3 ? 503 : 204 }),
    );
    mock.webhookEndpoints.update(endpoint.id, { api_version: "2024-10" });
    await mock.webhooks.idle();
    expect(status()).toBe("pending");
    await allTimers(mock);
    expect(status()).toBe("succeeded");
    expect(received).toHaveLength(3);
    const all = (read: (got: Received) => unknown) => new Set(received.map(read)).size;
    expect(all(({ headers }) => headers["webhook-id"])).toBe(1);
    expect(all(({ body }) => body)).toBe(1);
    expect(all(({ headers }) => headers["webhook-timestamp"])).toBe(3);
    expect(all(({ headers }) => headers["webhook-signature"])).toBe(3);
    expect(new Set(received.map(({ headers }) => headers["webhook-api-version"]))).toEqual(new Set(["2025-01"]));
  });

  it("have their time in next_attempt_at", async () => {
    vi.setSystemTime("2025-01-01T00:00:00Z");
    const { mock, id } = emitted(failing, { assumptions: { retry: { ...defaultAssumptions.retry, jitter: 0 } } });
    await mock.webhooks.idle();
    expect(mock.webhooks.events.get(id)).toMatchObject({
      attempts: 1,
      attempts_left: 9,
      next_attempt_at: "2025-01-01T00:00:02.000000Z",
    });
    mock.reset();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("use the current URL and secret of the endpoint", async () => {
    const { mock, received, endpoint } = emitted();
    await mock.webhooks.idle();
    const moved = handler();
    mock.webhooks.receive("https://app.example/moved", moved.handle);
    mock.webhookEndpoints.update(endpoint.id, {
      url: "https://app.example/moved",
      secret: "whsec_new",
      uses_standard_webhook_signature: false,
    });
    await nextTimer(mock);
    expect(received).toHaveLength(1);
    const [got] = moved.received as [Received];
    expect(got.headers["webhook-signature"]).toBe(originalSignature(got, "whsec_new"));
  });

  it.each(["disabled", "deleted"])("stop for an endpoint that was %s meanwhile (DEL-1)", async (what) => {
    const { mock, received, endpoint, id, status } = emitted();
    await mock.webhooks.idle();
    if (what === "deleted") mock.webhookEndpoints.delete(endpoint.id);
    else mock.webhookEndpoints.update(endpoint.id, { enabled: false });
    await nextTimer(mock);
    expect(status()).toBe("skipped");
    expect(received).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
    expect(() => mock.webhooks.redeliver(id)).toThrow(what === "deleted" ? /was deleted/ : /is disabled/);
  });

  it("G-RETRY: go on when the type of the event leaves the events of the endpoint", async () => {
    const { mock, received, endpoint, status } = emitted();
    await mock.webhooks.idle();
    mock.webhookEndpoints.update(endpoint.id, { events: ["order.created"] });
    expect(mock.webhooks.emit("order.paid", {})).toEqual([]);
    await allTimers(mock);
    expect(received).toHaveLength(10);
    expect(status()).toBe("failed");
  });

  it("G-RETRY: stop while the endpoint is disabled: an attempt that is due meanwhile skips the event", async () => {
    const { mock, received, endpoint, id, status } = emitted();
    await mock.webhooks.idle();
    mock.webhookEndpoints.update(endpoint.id, { enabled: false });
    mock.webhookEndpoints.update(endpoint.id, { enabled: true });
    await nextTimer(mock);
    expect(received).toHaveLength(2);
    mock.webhookEndpoints.update(endpoint.id, { enabled: false });
    await nextTimer(mock);
    expect(status()).toBe("skipped");
    mock.webhookEndpoints.update(endpoint.id, { enabled: true });
    expect(await allTimers(mock)).toEqual([]);
    expect(received).toHaveLength(2);
    mock.webhooks.redeliver(id);
    await mock.webhooks.idle();
    expect(received).toHaveLength(3);
  });

  it("do not start for an endpoint that is disabled before the first attempt", async () => {
    const { mock, received, endpoint, status } = emitted();
    mock.webhookEndpoints.update(endpoint.id, { enabled: false });
    await mock.webhooks.idle();
    expect(status()).toBe("skipped");
    expect(received).toEqual([]);
  });
});
