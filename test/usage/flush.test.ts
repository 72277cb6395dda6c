import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import { buffered, eventsOf, outboxWith, service } from "./service.ts";

// The model test runs flushes at the same time as other calls, and with other buffers of the same outbox.
describe("flush", () => {
  it("resolves at once if nothing is queued, and ends although events are added all the time", async () => {
    const { add, batches, ids, usage } = buffered({ maxDelay: 60_000 });
    await usage.flush();
    expect(batches()).toEqual([]);
    await add(1_000);
    const done = vi.fn();
    const flushed = usage.flush().finally(done);
    for (let added = 1_000; done.mock.calls.length === 0; added += 100) {
      await add(100, added);
      await sleep(0);
    }
    await flushed;
    const stored = new Set(ids());
    expect(eventsOf(1_000).every(({ external_id }) => stored.has(external_id))).toBe(true);
  });

  it("rejects when its timeout is over, and the events stay queued", async () => {
    const { add, mock, usage } = buffered();
    const fault = mock.fault({ status: 503 });
    await add(1);
    const message = "flush: not every event was sent within 100 ms; the events stay queued";
    const late = { name: "EventBufferError", reason: "timeout", message, cause: { status: 503 } };
    await expect(usage.flush({ timeout: 100 })).rejects.toMatchObject(late);
    expect(await usage.stats()).toMatchObject({ queued: 1 });
    mock.faults.remove(fault.id);
    await usage.flush({ timeout: 60_000 });
    expect(await usage.stats()).toMatchObject({ queued: 0, sent: 1 });
  });

  it("waits until the outbox has confirmed that events are removed, but not longer than its timeout", async () => {
    const store = outboxWith();
    const confirmed = Promise.withResolvers<void>();
    const confirm: typeof store.confirm = async (entries) => {
      await store.confirm(entries);
      await confirmed.promise;
    };
    const { add, usage } = buffered({ outbox: { ...store, confirm } });
    await add(1);
    await expect(usage.flush({ timeout: 50 })).rejects.toMatchObject({ reason: "timeout" });
    const done = vi.fn();
    const flushed = usage.flush().finally(done);
    await sleep(20);
    expect(done).not.toHaveBeenCalled();
    confirmed.resolve();
    await flushed;
    expect(await usage.stats()).toMatchObject({ queued: 0, sent: 1 });
  });

  it("rejects with an error that retrying cannot cure, and the events stay queued", async () => {
    const { add, mock, onError, token, usage } = buffered({ maxRetryDelay: 60_000 });
    mock.revokeToken(token);
    await add(1);
    await expect(usage.flush()).rejects.toMatchObject({ name: "ApiError", status: 401 });
    await expect(usage.flush()).rejects.toMatchObject({ name: "ApiError", status: 401 });
    expect(await usage.stats()).toMatchObject({ queued: 1, sent: 0 });
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ status: 401 }));
  });

  it("rejects if the client has no baseUrl, instead of waiting as in an outage", async () => {
    const { add, onError, usage } = buffered({}, service({ fetch: undefined }));
    const cause = Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" });
    vi.spyOn(globalThis, "fetch").mockRejectedValue(new TypeError("fetch failed", { cause }));
    await add(1);
    await expect(usage.flush({ timeout: 5_000 })).rejects.toThrow("is a placeholder: set `baseUrl`");
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ name: "NetworkError" }));
  });
});
