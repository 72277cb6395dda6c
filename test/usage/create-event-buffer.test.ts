import { describe, expect, it, vi } from "vitest";
import { NetworkError } from "../../src/errors/index.ts";
import { createEventBuffer, type UsageClient, type UsageEvent } from "../../src/usage/index.ts";
import { versions } from "../support/clients.ts";
import { addAll, eventsOf, outboxWith, service } from "./service.ts";

describe("createEventBuffer", () => {
  it.each(Object.keys(versions) as (keyof typeof versions)[])(
    "works with a client of %s, and sends what is queued at the end of an `await using`",
    async (version) => {
      const { mock } = service();
      const billing = versions[version].createClient({ accessToken: mock.issueToken(), fetch: mock.fetch });
      {
        await using usage = createEventBuffer(billing, { maxDelay: 60_000 });
        await usage.add({ name: "api.call", external_customer_id: "acme" });
      }
      expect(mock.events.size).toBe(1);
    },
  );
});

describe("a buffer's defaults", () => {
  const event = eventsOf(1)[0] as UsageEvent;

  /** Replaces timers and jitter, and creates a client whose requests are answered by a function. */
  function clientOf(answer: () => Promise<never>) {
    vi.useFakeTimers();
    vi.spyOn(Math, "random").mockReturnValue(1);
    const ingest = vi.fn(answer);
    return { ingest, client: { events: { ingest } } as unknown as UsageClient };
  }
  const never = () => new Promise<never>(() => {});

  it.each([
    [undefined, 1_000],
    [50, 50],
  ])("with maxDelay %s sends events %i ms after the first", async (maxDelay, delay) => {
    const { ingest, client } = clientOf(never);
    const usage = createEventBuffer(client, { maxDelay });
    await usage.add(event);
    await vi.advanceTimersByTimeAsync(delay - 1);
    await usage.add(event);
    expect(ingest).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(ingest).toHaveBeenCalledOnce();
  });

  it("sends four requests at the same time", async () => {
    const { ingest, client } = clientOf(never);
    await addAll(createEventBuffer(client), eventsOf(2_600));
    await vi.advanceTimersByTimeAsync(0);
    expect(ingest.mock.calls.map(([events]: unknown[]) => (events as []).length)).toEqual([500, 500, 500, 500]);
  });

  it("retries after half a second at first, and then after a second", async () => {
    const { client } = clientOf(() => Promise.reject(new NetworkError("offline")));
    const onRetry = vi.fn();
    await createEventBuffer(client, { onRetry, logLevel: "off" }).add(event);
    await vi.advanceTimersByTimeAsync(3_500);
    const delays = onRetry.mock.calls.map(([{ delay }]) => delay);
    expect(delays).toEqual([500, 1_000, 1_000, 1_000]);
  });

  const limits = Object.entries({ 100000: false, 1000000: true });
  it.each(limits)("queues %s events if the outbox is durable: %s", async (most, durable) => {
    const state = async () => ({ events: Number(most) - 1, oldest: undefined });
    const { client } = clientOf(never);
    const usage = createEventBuffer(client, { outbox: outboxWith({ state, durable }) });
    await usage.add(event);
    await expect(usage.add(event)).rejects.toThrow(`${most} events are queued`);
  });
});
