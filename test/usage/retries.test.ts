import { describe, expect, it, vi } from "vitest";
import { createClient } from "../../versions/2025-01/index.ts";
import { buffer, eventsOf, service, sleep } from "./service.ts";

describe("after a failed request, the events are sent again", () => {
  const faults = ["reset", "empty-reply", "bad-status-line", "malformed", "truncated"] as const;
  it.each(faults)("%s", async (kind) => {
    const { billing, mock } = service();
    mock.fault({ kind, times: 2 });
    const usage = buffer(billing);
    await Promise.all(eventsOf(10).map((event) => usage.add(event)));
    await usage.flush();
    expect(mock.events.size).toBe(10);
    expect(await usage.stats()).toMatchObject({ sent: 10, retries: 2, duplicates: kind === "truncated" ? 10 : 0 });
  });

  it.each([408, 425, 429, 500, 502, 503, 504, 507])("status %i", async (status) => {
    const { billing, mock } = service();
    mock.fault({ status, times: 2 });
    const onError = vi.fn();
    const usage = buffer(billing, { onError });
    await usage.add(eventsOf(1)[0]!);
    await usage.flush();
    expect(mock.events.size).toBe(1);
    expect(onError).not.toHaveBeenCalled();
  });

  it("timeout", async () => {
    const { billing, mock } = service({ timeout: 20 });
    mock.fault({ kind: "timeout", times: 2 });
    const usage = buffer(billing);
    await usage.add(eventsOf(1)[0]!);
    await usage.flush();
    expect(await usage.stats()).toMatchObject({ sent: 1, retries: 2 });
  });

  it("a failing token function", async () => {
    const { mock } = service();
    const accessToken = vi.fn(() => mock.issueToken()).mockRejectedValueOnce(new Error("no token") as never);
    const usage = buffer(createClient({ accessToken, fetch: mock.fetch }));
    await usage.add(eventsOf(1)[0]!);
    await usage.flush();
    expect(mock.events.size).toBe(1);
  });

  it.each([400, 401, 403, 404])("status %i, which is reported and may be cured later", async (status) => {
    const { billing, mock } = service();
    mock.fault({ status, times: 2 });
    const onError = vi.fn();
    const usage = buffer(billing, { onError });
    await usage.add(eventsOf(1)[0]!);
    await vi.waitFor(() => expect(mock.events.size).toBe(1));
    expect(onError.mock.calls.map(([error]) => error.status)).toEqual([status]);
  });

  it("a single 401, which is not reported", async () => {
    const { billing, mock } = service();
    mock.fault({ status: 401, times: 1 });
    const onError = vi.fn();
    const usage = buffer(billing, { onError, maxRetryDelay: 60_000 });
    await usage.add(eventsOf(1)[0]!);
    await usage.flush();
    expect(mock.events.size).toBe(1);
    expect(onError).not.toHaveBeenCalled();
  });

  it("with delays that double up to maxRetryDelay, shortened by up to half", async () => {
    const { billing, mock } = service();
    mock.fault({ status: 500, times: 8 });
    const onRetry = vi.fn();
    const usage = buffer(billing, { onRetry, minRetryDelay: 2, maxRetryDelay: 20 });
    await usage.add(eventsOf(1)[0]!);
    await vi.waitFor(() => expect(mock.events.size).toBe(1));
    const longest = [2, 4, 8, 16, 20, 20, 20, 20];
    for (const [index, [{ delay, attempt, events, error }]] of onRetry.mock.calls.entries()) {
      expect({ attempt, events, status: error.status }).toEqual({ attempt: index + 1, events: 1, status: 500 });
      expect(delay).toBeGreaterThanOrEqual(longest[index]! / 2);
      expect(delay).toBeLessThanOrEqual(longest[index]!);
    }
    expect(onRetry).toHaveBeenCalledTimes(8);
  });

  it("with delays although Retry-After is 0", async () => {
    const { billing, mock } = service();
    mock.fault({ status: 503, retryAfter: 0, times: 3 });
    const onRetry = vi.fn();
    const usage = buffer(billing, { onRetry, minRetryDelay: 10 });
    await usage.add(eventsOf(1)[0]!);
    await usage.flush();
    const delays = onRetry.mock.calls.map(([{ delay }]) => delay);
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(5);
  });

  it("not before Retry-After, and neither are other batches", async () => {
    const { billing, mock } = service();
    mock.fault({ status: 429, retryAfter: 1, times: 1 });
    const usage = buffer(billing, { maxBatchEvents: 1, concurrency: 1 });
    const started = performance.now();
    await usage.add(eventsOf(1)[0]!);
    await vi.waitFor(() => expect(mock.requests.count).toBe(1));
    await usage.add(eventsOf(1, 2)[0]!);
    await sleep(300);
    void usage.flush();
    await sleep(300);
    expect(mock.requests.count).toBe(1);
    await usage.flush();
    expect(performance.now() - started).toBeGreaterThanOrEqual(990);
    expect(mock.events.size).toBe(2);
  });
});
