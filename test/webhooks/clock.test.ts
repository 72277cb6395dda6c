import { describe, expect, it, vi } from "vitest";
import { verifyWebhook } from "#current/webhooks";
import { defaultAssumptions, type MockOptions, type WebhookHandler } from "../../mock/index.ts";
import { emitted, failing, receiving } from "./mocked.ts";

const START = "2025-03-01T00:00:00.000Z";
const retry = { ...defaultAssumptions.retry, jitter: 0 };
const fixed: MockOptions = { now: START, assumptions: { retry } };
const later = (seconds: number) => new Date(Date.parse(START) + seconds * 1_000);
const hanging: WebhookHandler = () => new Promise(() => {});

describe("the clock of a mock", () => {
  it("is the clock with which its deliveries are verified", async () => {
    const { mock, endpoint, deliver } = receiving();
    const { secret } = endpoint;
    await mock.clock.advance({ days: 1 });
    const delivery = await deliver();
    await expect(verifyWebhook(delivery, { secret })).rejects.toMatchObject({ reason: "timestamp-too-new" });
    expect(await verifyWebhook(delivery, { secret, now: mock.clock.now })).toMatchObject({ type: "order.paid" });
  });

  it("ends after 2,000 steps when a receiver causes new events without end, and can be advanced again", async () => {
    let attempts = 0;
    const answer = () => {
      attempts += 1;
      if (attempts % 2 === 0) mock.webhooks.emit("order.paid", {});
      return new Response(null, { status: 500 });
    };
    const once = { ...retry, attempts: 2, firstDelay: 1_200_000 };
    const { mock } = emitted(answer, { now: START, assumptions: { retry: once, disableAfter: null } });
    await expect(mock.clock.advance({ days: 36_500 })).rejects.toThrow(
      "clock.advance: stopped at 2025-03-28T18:40:00.000000Z after 2000 steps, because more retries were due. ",
    );
    expect(mock.clock.now()).toEqual(later(2_000 * 1_200));
    await mock.clock.advance({ minutes: 20 });
    expect(mock.webhooks.deliveries.list().at(-1)?.at).toBe("2025-03-28T19:00:00.000000Z");
  });

  it("a reset ends an advance that is under way, and those that wait for it", async () => {
    const { mock, received, got } = receiving(fixed, { answer: hanging });
    mock.checkpoint();
    mock.webhooks.emit("order.paid", {});
    const advances = [mock.clock.advance({ days: 1 }), mock.clock.advance({ days: 1 })];
    await got(1);
    mock.reset();
    expect(await Promise.all(advances)).toEqual([later(0), later(0)]);
    expect(mock.clock.now()).toEqual(later(0));
    expect(await mock.clock.advance({ seconds: 1 })).toEqual(later(1));
    expect([received.length, mock.webhooks.events.size, mock.webhooks.deliveries.size]).toEqual([1, 0, 0]);
  });

  it("does not stop deliveries if it was replaced by a fake before the mock was imported", async () => {
    vi.resetModules();
    vi.useFakeTimers();
    const { mock } = (await import("./mocked.ts")).emitted();
    await mock.webhooks.idle();
    expect(mock.webhooks.deliveries.size).toBe(1);
  });

  it("writes no year of more than four digits, also for a retry after the last moment", async () => {
    const { mock } = emitted(failing, { now: "9999-12-31T23:59:59.000Z" });
    await mock.webhooks.idle();
    expect(mock.webhooks.events.list()[0]?.next_attempt_at).toBe("9999-12-31T23:59:59.999000Z");
  });

  it("does not go back for a retry that is overdue", async () => {
    let time = Date.parse(START);
    const { mock } = emitted(failing, { ...fixed, now: () => time });
    await mock.webhooks.idle();
    time += 3_600_000;
    await mock.clock.advance({ seconds: 1 });
    expect(mock.webhooks.deliveries.list()[1]?.at).toBe("2025-03-01T01:00:00.000000Z");
  });
});

it("a reset delivers at once what has become due, and nothing that was settled before", async () => {
  vi.useFakeTimers();
  const { mock, received, id } = emitted(() => new Response());
  mock.checkpoint();
  await mock.webhooks.idle();
  vi.setSystemTime(Date.now() + 3_600_000);
  mock.reset();
  expect(mock.webhooks.deliveries.size).toBe(0);
  await mock.webhooks.idle();
  expect(received.map(({ headers }) => headers["webhook-id"])).toEqual([id, id]);
  mock.checkpoint();
  mock.webhooks.redeliver(id);
  mock.reset();
  await mock.webhooks.idle();
  expect([received.length, mock.webhooks.events.get(id)?.status]).toEqual([2, "succeeded"]);
});
