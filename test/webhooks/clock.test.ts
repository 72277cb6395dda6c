import { afterEach, describe, expect, it, vi } from "vitest";
import { createMock, defaultAssumptions, type WebhookHandler } from "../../mock/index.ts";
import { verifyWebhook } from "../../versions/2025-01/webhooks.ts";
import { receiver, receiving } from "./receiver.ts";
import { emitted, failing, nextTimer } from "./timers.ts";

const START = "2025-03-01T00:00:00.000Z";
const retry = { ...defaultAssumptions.retry, jitter: 0 };

afterEach(() => {
  vi.useRealTimers();
});

describe("the clock of a mock", () => {
  it("waits for the response of a receiver over HTTP", async () => {
    const mock = createMock({ now: START, assumptions: { retry } });
    const { url, received } = await receiver((response) => setTimeout(() => response.writeHead(500).end(), 20));
    mock.webhookEndpoints.create({ url });
    mock.webhooks.emit("order.paid", {});
    await mock.clock.advance({ seconds: 6 });
    const first = Date.parse(START) / 1000;
    expect(received.map(({ headers }) => Number(headers["webhook-timestamp"]) - first)).toEqual([0, 2, 6]);
  });

  it("is the clock with which its deliveries are verified", async () => {
    const { mock, endpoint, deliver } = receiving();
    const { secret } = endpoint;
    await mock.clock.advance({ days: 1 });
    const delivery = await deliver();
    await expect(verifyWebhook(delivery, { secret })).rejects.toMatchObject({ reason: "timestamp-too-new" });
    expect(await verifyWebhook(delivery, { secret, now: mock.clock.now })).toMatchObject({ type: "order.paid" });
  });

  it("stands still while it is advanced", async () => {
    const times: number[] = [];
    const { mock } = emitted(
      async () => {
        times.push(mock.clock.now().getTime());
        await new Promise((resolve) => setTimeout(resolve, 30));
        times.push(mock.clock.now().getTime());
        return new Response();
      },
      { assumptions: { retry } },
    );
    await mock.clock.advance({ seconds: 0 });
    expect(times).toHaveLength(2);
    expect(times[0]).toBe(times[1]);
  });

  it("ends after 2,000 steps when a receiver causes new events without end, and can be advanced again", async () => {
    const once = { ...retry, attempts: 2, firstDelayMs: 1_200_000 };
    let attempts = 0;
    const { mock } = emitted(
      () => {
        attempts += 1;
        if (attempts % 2 === 0) mock.webhooks.emit("order.paid", {});
        return new Response(null, { status: 500 });
      },
      { now: START, assumptions: { retry: once, disableAfter: null } },
    );
    const stopped = new Date(Date.parse(START) + 2_000 * 1_200_000);
    await expect(mock.clock.advance({ days: 36_500 })).rejects.toThrow(
      new TypeError(
        "clock.advance: stopped at 2025-03-28T18:40:00.000000Z after 2000 steps, because more retries were due. " +
          "Advance in smaller parts, or limit the retries with the assumption `retry`.",
      ),
    );
    expect(mock.clock.now()).toEqual(stopped);
    expect(mock.webhooks.deliveries.size).toBe(1_000);
    await mock.clock.advance({ minutes: 20 });
    expect(mock.webhooks.deliveries.list().at(-1)?.at).toBe("2025-03-28T19:00:00.000000Z");
  });

  it.each(["reset", "restore"])("%s ends an advance that is under way, and those that wait for it", async (name) => {
    let arrived = (): void => {};
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve;
    });
    const answer = () => {
      arrived();
      return new Promise<never>(() => {});
    };
    const { mock, received } = receiving({ now: START }, { answer });
    const snapshot = mock.snapshot();
    mock.webhooks.emit("order.paid", {});
    const advances = [mock.clock.advance({ days: 1 }), mock.clock.advance({ days: 1 })];
    await arrival;
    if (name === "reset") mock.reset();
    else mock.restore(snapshot);
    expect(await Promise.all(advances)).toEqual([new Date(START), new Date(START)]);
    expect(mock.clock.now()).toEqual(new Date(START));
    expect(await mock.clock.advance({ seconds: 1 })).toEqual(new Date(Date.parse(START) + 1_000));
    expect(received).toHaveLength(1);
  });

  it("does not go back for a retry that is overdue", async () => {
    let time = Date.parse(START);
    const { mock } = emitted(failing, { now: () => time, assumptions: { retry } });
    await mock.webhooks.idle();
    time += 3_600_000;
    await mock.clock.advance({ seconds: 1 });
    expect(mock.webhooks.deliveries.list()[1]?.at).toBe("2025-03-01T01:00:00.000000Z");
  });

  it("rejects with the error of a `now` function that throws, and then works as before", async () => {
    let isBroken = false;
    const now = () => {
      if (isBroken) throw new Error("the clock stopped");
      return START;
    };
    const { mock } = emitted(failing, { now, assumptions: { retry } });
    isBroken = true;
    await expect(mock.clock.advance({ seconds: 5 })).rejects.toThrow("the clock stopped");
    isBroken = false;
    await mock.clock.advance({ seconds: 5 });
    expect(mock.clock.now()).toEqual(new Date(Date.parse(START) + 5_000));
    expect(mock.webhooks.deliveries.size).toBe(2);
  });
});

describe("with fake timers", () => {
  it("the clock follows the fake time, plus the time by which it was advanced", async () => {
    vi.useFakeTimers({ now: new Date(START) });
    const mock = createMock();
    await mock.clock.advance({ hours: 1 });
    vi.advanceTimersByTime(60_000);
    expect(mock.clock.now()).toEqual(new Date("2025-03-01T01:01:00Z"));
    expect(new Date()).toEqual(new Date("2025-03-01T00:01:00Z"));
  });

  it("a retry waits for what is left of its delay", async () => {
    vi.useFakeTimers({ now: new Date(START) });
    const { mock, received } = emitted(failing, { assumptions: { retry } });
    await mock.clock.advance({ seconds: 5 });
    expect(received).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(1);
    expect(await nextTimer(mock)).toBe(1_000);
    expect(received).toHaveLength(3);
    expect(mock.webhooks.deliveries.list().map(({ at }) => at)).toEqual([
      "2025-03-01T00:00:00.000000Z",
      "2025-03-01T00:00:02.000000Z",
      "2025-03-01T00:00:06.000000Z",
    ]);
    expect(await nextTimer(mock)).toBe(8_000);
  });

  it("a redelivery that succeeds leaves no timer", async () => {
    vi.useFakeTimers({ now: new Date(START) });
    let status = 500;
    const { mock, id } = emitted(() => new Response(null, { status }), { assumptions: { retry } });
    await mock.webhooks.idle();
    status = 200;
    mock.webhooks.redeliver(id);
    await mock.clock.advance({ seconds: 1 });
    expect(mock.webhooks.deliveries.size).toBe(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("restore during an advance leaves one timer for each retry, and the clock runs on", async () => {
    vi.useFakeTimers({ now: new Date(START) });
    let answer: WebhookHandler = failing;
    const { mock } = emitted((request) => answer(request), { assumptions: { retry } });
    await mock.webhooks.idle();
    const snapshot = mock.snapshot();
    const arrival = new Promise<void>((resolve) => {
      answer = () => {
        resolve();
        return new Promise(() => {});
      };
    });
    const advances = [mock.clock.advance({ days: 1 }), mock.clock.advance({ days: 1 })];
    await arrival;
    mock.restore(snapshot);
    await Promise.all(advances);
    expect(vi.getTimerCount()).toBe(1);
    vi.advanceTimersByTime(1_000);
    expect(mock.clock.now()).toEqual(new Date(Date.parse(START) + 1_000));
  });

  it("the timers of retries run with a fixed `now` that was not advanced", async () => {
    vi.useFakeTimers();
    const { mock, received } = emitted(failing, { now: START, assumptions: { retry } });
    await mock.webhooks.idle();
    expect(await nextTimer(mock)).toBe(2_000);
    expect(received).toHaveLength(2);
    await mock.clock.advance({ seconds: 1 });
    expect(vi.getTimerCount()).toBe(0);
    mock.reset();
    expect(mock.clock.now()).toEqual(new Date(START));
  });
});
