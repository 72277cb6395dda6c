import { beforeEach, describe, expect, it, vi } from "vitest";
import { type Assumptions, defaultAssumptions, type MockOptions, type WebhookHandler } from "../../mock/index.ts";
import { DEPRECATED } from "../support/versions.ts";
import {
  allTimers,
  emitted,
  failing,
  handler,
  nextTimer,
  originalSignature,
  type Received,
  receiving,
} from "./mocked.ts";

beforeEach(() => void vi.useFakeTimers());

/** Options with a policy for retries. */
const retrying = (retry: Partial<Assumptions["retry"]>): MockOptions => ({
  assumptions: { retry: { ...defaultAssumptions.retry, jitter: 0, ...retry } },
});

describe("retries", () => {
  it("G-RETRY: make ten attempts with delays that double from 2 s and are shortened by at most half", async () => {
    const { mock, received, stored } = emitted();
    await mock.webhooks.idle();
    const waits = await allTimers(mock);
    expect(waits).toHaveLength(9);
    for (const [i, wait] of waits.entries()) {
      expect(wait).toBeGreaterThan(1_000 * 2 ** i);
      expect(wait).toBeLessThanOrEqual(2_000 * 2 ** i);
    }
    // Each delay is shortened by another part.
    expect(new Set(waits.map((wait, i) => Math.round(wait / 2 ** i))).size).toBe(9);
    expect(received).toHaveLength(10);
    expect(stored()).toMatchObject({ status: "failed", attempts: 10, attempts_left: 0, next_attempt_at: null });
    const log = mock.webhooks.deliveries.list();
    expect(log.map(({ attempt }) => attempt)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
    expect(log.every((each) => each.response_status === 500 && each.response_body === "no" && !each.error)).toBe(true);
  });

  it.each<[string, Partial<Assumptions["retry"]>, number[]]>([
    ["20 minutes", { attempts: 14 }, [512_000, 1_024_000, 1_200_000, 1_200_000, 1_200_000]],
    ["maxDelay", { attempts: 4, firstDelay: 100, maxDelay: 300 }, [100, 200, 300]],
    ["no time without a delay", { attempts: 3, firstDelay: 0, maxDelay: 0 }, []],
  ])("G-RETRY: never wait longer than %s", async (_, retry, last) => {
    const { mock, received, status } = emitted(failing, retrying(retry));
    await mock.webhooks.idle();
    const waits = await allTimers(mock);
    expect(waits.slice(-5)).toEqual(last);
    expect([received.length, status()]).toEqual([retry.attempts, "failed"]);
  });

  it("G-RETRY: have the same jitter for the same seed, whatever else is delivered", async () => {
    const waits = async (seed: number, others: number) => {
      const { mock, endpoint, id } = emitted(undefined, { seed });
      for (let i = 0; i < others; i++) mock.webhooks.emit("order.created", {});
      mock.webhooks.receive(endpoint.url, (request) =>
        request.headers.get("webhook-id") === id ? failing(request) : new Response(),
      );
      await mock.webhooks.idle();
      return allTimers(mock);
    };
    const once = await waits(7, 0);
    expect(await waits(7, 3)).toEqual(once);
    expect(await waits(8, 0)).not.toEqual(once);
  });

  it("use the current URL and secret of the endpoint", async () => {
    const { mock, received, endpoint } = emitted();
    await mock.webhooks.idle();
    const moved = handler();
    const url = "https://app.example/moved";
    mock.webhooks.receive(url, moved.handle);
    mock.webhookEndpoints.update(endpoint.id, { url, secret: "whsec_new", uses_standard_webhook_signature: false });
    await nextTimer(mock);
    expect(received).toHaveLength(1);
    const [got] = moved.received as [Received];
    expect(got.headers["webhook-signature"]).toBe(originalSignature(got, "whsec_new"));
  });

  it.each(["disabled", "deleted"])("DEL-1: stop for an endpoint that was %s meanwhile", async (what) => {
    const { mock, received, endpoint, id, status } = emitted();
    await mock.webhooks.idle();
    if (what === "deleted") mock.webhookEndpoints.delete(endpoint.id);
    else mock.webhookEndpoints.update(endpoint.id, { enabled: false });
    await allTimers(mock);
    expect([status(), received.length]).toEqual(["skipped", 1]);
    expect(() => mock.webhooks.redeliver(id)).toThrow(what === "deleted" ? /was deleted/ : /is disabled/);
  });

  it("G-RETRY: go on when the type of the event leaves the events of the endpoint", async () => {
    const { mock, received, endpoint, status } = emitted();
    await mock.webhooks.idle();
    mock.webhookEndpoints.update(endpoint.id, { events: ["order.created"] });
    expect(mock.webhooks.emit("order.paid", {})).toEqual([]);
    await allTimers(mock);
    expect([received.length, status()]).toEqual([10, "failed"]);
  });

  it.each<[string, () => Promise<Response>, number | null]>([
    ["a function hangs", () => new Promise(() => {}), null],
    ["a response never ends", async () => new Response(new ReadableStream()), 200],
  ])("G-RETRY: follow after 10 s if %s, and the request is aborted", async (_, respond, response_status) => {
    let signal: AbortSignal | undefined;
    const answer: WebhookHandler = (request) => {
      signal = request.signal;
      return respond();
    };
    const { mock, got } = receiving({}, { answer });
    mock.webhooks.emit("order.paid", {});
    await got(1);
    await vi.advanceTimersByTimeAsync(9_999);
    expect([mock.webhooks.deliveries.size, signal?.aborted]).toEqual([0, false]);
    vi.advanceTimersByTime(1);
    await mock.webhooks.idle();
    const error = "The receiver did not finish its response within 10000 ms.";
    expect(mock.webhooks.deliveries.list()).toMatchObject([{ status: "failed", response_status, error }]);
    expect(signal?.aborted).toBe(true);
  });
});

describe("a redelivery", () => {
  it("DEL-6: follows an attempt that is under way and succeeds", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const { mock, received, got, id, status } = emitted(async () => (await promise).clone());
    await got(1);
    mock.webhooks.redeliver(id);
    resolve(new Response());
    await mock.webhooks.idle();
    expect([received.length, status()]).toEqual([2, "succeeded"]);
  });

  it("DEL-6: has its own attempts, and replaces a waiting retry; then each further one is one attempt with a new signature", async () => {
    const { mock, endpoint, received, id, status } = emitted();
    await mock.webhooks.idle();
    await nextTimer(mock);
    mock.webhookEndpoints.update(endpoint.id, { api_version: DEPRECATED });
    mock.webhooks.redeliver(id);
    await mock.webhooks.idle();
    expect([received.length, vi.getTimerCount()]).toEqual([3, 1]);
    expect(await allTimers(mock)).toHaveLength(9);
    expect([received.length, status()]).toEqual([12, "failed"]);
    vi.setSystemTime(Date.now() + 60_000);
    mock.webhooks.redeliver(id);
    expect(status()).toBe("pending");
    await mock.webhooks.idle();
    expect([received.length, status(), vi.getTimerCount()]).toEqual([13, "failed", 0]);
    expect(mock.webhooks.deliveries.list().at(-1)?.attempt).toBe(13);
    const [first, last] = [received[0], received[12]] as [Received, Received];
    const changed = (name: string) => first.headers[name] !== last.headers[name];
    expect(last.body).toBe(first.body);
    expect(Object.keys(first.headers).filter(changed).sort()).toEqual(["webhook-signature", "webhook-timestamp"]);
    expect(() => mock.webhooks.redeliver("nothing")).toThrow('webhooks.redeliver: unknown event "nothing".');
  });
});
