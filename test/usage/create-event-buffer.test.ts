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

  it("are batches after a second, four requests at a time, and retries after half a second and then a second", async () => {
    const { ingest, client } = clientOf(never);
    const usage = createEventBuffer(client);
    await usage.add(event);
    await vi.advanceTimersByTimeAsync(999);
    expect(ingest).not.toHaveBeenCalled();
    await addAll(usage, eventsOf(2_600));
    await vi.advanceTimersByTimeAsync(1);
    expect(ingest.mock.calls.map(([events]: unknown[]) => (events as []).length)).toEqual([500, 500, 500, 500]);
    const onRetry = vi.fn();
    const failing = clientOf(() => Promise.reject(new NetworkError("offline"))).client;
    await createEventBuffer(failing, { onRetry, logLevel: "off" }).add(event);
    await vi.advanceTimersByTimeAsync(3_500);
    expect(onRetry.mock.calls.map(([{ delay }]) => delay)).toEqual([500, 1_000, 1_000, 1_000]);
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
