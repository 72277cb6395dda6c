import { describe, expect, it, vi } from "vitest";
import { createClient } from "#current";
import { buffered, service } from "./service.ts";

describe("after a failed request, the events are sent again", () => {
  it.each([
    ...(["reset", "truncated", "timeout"] as const).map((kind) => ({ kind })),
    { status: 200, body: "<html>" },
    ...[408, 425, 429, 500, 502, 503, 504, 507].map((status) => ({ status })),
  ])("%o", async (fault) => {
    const { add, mock, onError, usage } = buffered({}, service({ timeout: "kind" in fault ? 100 : 30_000 }));
    mock.fault({ ...fault, times: 2 });
    await add(10);
    await usage.flush();
    const isStoredBefore = "kind" in fault && fault.kind === "truncated";
    expect(mock.events.size).toBe(10);
    expect(await usage.stats()).toMatchObject({ sent: 10, retries: 2, duplicates: isStoredBefore ? 10 : 0 });
    expect(onError).not.toHaveBeenCalled();
  });

  it("a failing token function", async () => {
    const given = service();
    const accessToken = vi.fn(() => given.token).mockRejectedValueOnce(new Error("no token") as never);
    const billing = createClient({ accessToken, fetch: given.mock.fetch });
    const { add, mock, usage } = buffered({}, { ...given, billing });
    await add(1);
    await usage.flush();
    expect(mock.events.size).toBe(1);
  });

  it.each([
    [400, 2, 1],
    [401, 2, 1],
    [401, 1, 0],
    [403, 2, 1],
    [404, 2, 1],
  ])("status %i, %i times, which is reported %i times and may be cured later", async (status, times, reports) => {
    const { add, mock, onError } = buffered();
    mock.fault({ status, times });
    await add(1);
    await expect.poll(() => mock.events.size).toBe(1);
    expect(onError.mock.calls.map(([error]) => error.status)).toEqual(Array(reports).fill(status));
  });

  it("with delays that double up to maxRetryDelay, shortened by up to half, even if Retry-After is 0", async () => {
    const { add, mock, onRetry } = buffered({ minRetryDelay: 2, maxRetryDelay: 20 });
    mock.fault({ status: 500, retryAfter: 0, times: 8 });
    await add(1);
    await expect.poll(() => mock.events.size).toBe(1);
    const longest = [2, 4, 8, 16, 20, 20, 20, 20];
    for (const [index, [{ delay, attempt, events, error }]] of onRetry.mock.calls.entries()) {
      expect({ attempt, events, status: error.status }).toEqual({ attempt: index + 1, events: 1, status: 500 });
      expect(delay).toBeGreaterThanOrEqual(longest[index]! / 2);
      expect(delay).toBeLessThanOrEqual(longest[index]!);
    }
    expect(onRetry).toHaveBeenCalledTimes(8);
  });

  it.each([
    [10, 10_000],
    [7_200, 3_600_000],
  ])("not before a Retry-After of %i s, but after an hour, nor are other batches", async (retryAfter, delay) => {
    vi.useFakeTimers({ toFake: ["performance", "setTimeout", "clearTimeout"] });
    const pass = async (hundredths: number) => {
      for (let step = 0; step < hundredths; step++) {
        await vi.advanceTimersByTimeAsync(delay / 100);
        await new Promise(setImmediate);
      }
    };
    const { add, mock, onRetry, usage } = buffered({ maxBatchEvents: 1, concurrency: 1 });
    mock.fault({ status: 429, retryAfter, times: 1 });
    await add(1);
    await vi.advanceTimersByTimeAsync(5);
    await expect.poll(() => onRetry.mock.calls).toMatchObject([[{ delay }]]);
    await add(1, 2);
    const done = vi.fn();
    const flushed = usage.flush().finally(done);
    await pass(99);
    expect(mock.requests.count).toBe(1);
    while (done.mock.calls.length === 0) await pass(1);
    await flushed;
    expect(mock.events.size).toBe(2);
  });
});
