import { describe, expect, it, vi } from "vitest";
import { defaultAssumptions, type Mock, type MockOptions } from "../../mock/index.ts";
import { openAdapter } from "../support/adapter.ts";

const READ = "GET /v1/products/";
const START = "2025-03-01T00:00:00.000Z";
const URL = "https://shop.example/hooks";

/** Waits of 2, 4, 8, … seconds, without jitter. */
const retry = { ...defaultAssumptions.retry, jitter: 0 };

/** A mock whose time is fixed, with an endpoint that answers `status`. */
async function opened(options: MockOptions = {}) {
  const adapter = await openAdapter({ now: START, ...options, assumptions: { retry, ...options.assumptions } });
  const receiver = { status: 500 };
  const endpoint = adapter.mock.webhookEndpoints.create({ url: URL });
  adapter.mock.webhooks.receive(URL, () => new Response(null, { status: receiver.status }));
  return { ...adapter, endpoint, receiver };
}

/** The seconds from the start to each attempt, in the order in which they were made. */
function attemptsOf({ webhooks }: Mock): readonly number[] {
  return webhooks.deliveries.list().map(({ at }) => secondsTo(at));
}

const secondsTo = (time: string | Date) => (new Date(time).getTime() - Date.parse(START)) / 1000;

describe("deliveries while the clock is advanced", () => {
  it("G-RETRY: are retried when they are due, until one succeeds", async () => {
    const { mock, receiver } = await opened();
    const [event] = mock.webhooks.emit("order.paid", {});
    await mock.clock.advance({ seconds: 60 });
    expect(attemptsOf(mock)).toEqual([0, 2, 6, 14, 30]);
    expect(mock.webhooks.events.get(event!.id)).toMatchObject({
      status: "pending",
      next_attempt_at: "2025-03-01T00:01:02.000000Z",
    });
    const times = mock.webhooks.deliveries.list().map(({ headers }) => Number(headers["webhook-timestamp"]));
    expect(times.map((time) => time - Date.parse(START) / 1000)).toEqual([0, 2, 6, 14, 30]);
    await mock.clock.advance({ seconds: 1.999 });
    expect(mock.webhooks.deliveries.size).toBe(5);
    await mock.clock.advance({ milliseconds: 1 });
    expect(attemptsOf(mock).at(-1)).toBe(62);
    expect(mock.clock.now()).toEqual(new Date("2025-03-01T00:01:02Z"));
    receiver.status = 204;
    await mock.clock.advance({ days: 1 });
    expect(attemptsOf(mock).slice(6)).toEqual([126]);
    expect(mock.webhooks.events.get(event!.id)?.status).toBe("succeeded");
  });

  it("G-RETRY: are made in order of time, for several events", async () => {
    const { mock } = await opened();
    const second = mock.webhookEndpoints.create({ url: `${URL}/second`, events: ["order.refunded"] });
    mock.webhooks.receive(second.url, () => new Response(null, { status: 500 }));
    mock.webhooks.emit("order.paid", {});
    await mock.clock.advance({ seconds: 5 });
    mock.webhooks.emit("order.refunded", {});
    await mock.clock.advance({ seconds: 30 });
    const paid = [0, 2, 6, 14, 30];
    const refunded = [5, 7, 11, 19, 35];
    expect(attemptsOf(mock)).toEqual([...paid, ...refunded, ...refunded].sort((a, b) => a - b));
    const bySecond = mock.webhooks.deliveries.list().filter(({ endpoint_id }) => endpoint_id === second.id);
    expect(bySecond.map(({ at: time }) => secondsTo(time))).toEqual(refunded);
  });

  it("are made before a request that follows", async () => {
    const { mock, send } = await opened();
    const token = mock.issueToken({ expiresIn: 4 });
    const seen: number[] = [];
    mock.webhooks.receive(URL, async () => {
      seen.push((await send(READ, { token })).status);
      return new Response(null, { status: 500 });
    });
    mock.webhooks.emit("order.paid", {});
    await mock.clock.advance({ seconds: 20 });
    expect(seen).toEqual([200, 200, 401, 401]);
  });

  it("wait for the clock to be advanced again if its time is fixed, even after a reset", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] });
    const { mock } = await opened();
    mock.webhooks.emit("order.paid", {});
    await mock.clock.advance({ seconds: 1.999 });
    mock.checkpoint();
    await mock.clock.advance({ days: 1 });
    expect(mock.webhooks.deliveries.size).toBe(10);
    mock.reset();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(attemptsOf(mock)).toEqual([0]);
    await mock.clock.advance({ milliseconds: 1 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(attemptsOf(mock)).toEqual([0, 2]);
  });
});
