import { describe, expect, it } from "vitest";
import { storages } from "./outboxes.ts";
import { buffered, eventsOf, service, sleep } from "./service.ts";

describe.each(Object.entries(storages))("with %s", (_, create) => {
  it("the first flush of a new buffer sends what an earlier one left, or rejects if it cannot", async (context) => {
    const storage = await create();
    if (!storage.durable) return context.skip();
    const start = service();
    const open = () => buffered({ maxDelay: 60_000, outbox: storage.open() }, start);
    const fault = start.mock.fault({ status: 401 });
    const earlier = open();
    await earlier.add(499);
    await earlier.usage.close({ timeout: 0 });
    const second = open();
    await expect(second.usage.flush()).rejects.toMatchObject({ status: 401 });
    await second.usage.close({ timeout: 0 });
    expect(start.mock.events.size).toBe(0);
    start.mock.faults.remove(fault.id);
    const { usage } = open();
    await usage.flush();
    expect(start.mock.events.size).toBe(499);
    expect(await usage.stats()).toMatchObject({ queued: 0, sent: 499 });
  });

  it("close stores every event whose add was not awaited, also those that wait for room", async () => {
    const storage = await create();
    const { add, dropped, mock, usage } = buffered({ maxQueued: 100, maxDelay: 60_000, outbox: storage.open() });
    const added = add(200);
    await usage.close();
    await added;
    expect(mock.events.size).toBe(200);
    expect(dropped()).toEqual([]);
    expect(await usage.stats()).toMatchObject({ queued: 0, sent: 200, dropped: 0 });
  });
});

// The model test runs flushes at the same time as other calls, and with other buffers of the same outbox.
describe("flush", () => {
  it("resolves at once if nothing is queued", async () => {
    const { batches, usage } = buffered();
    await usage.flush();
    expect(batches()).toEqual([]);
  });

  it("ends although events are added all the time", async () => {
    const { add, ids, usage } = buffered({ maxDelay: 60_000 });
    await add(1_000);
    let isDone = false;
    const flushed = usage.flush().finally(() => {
      isDone = true;
    });
    for (let added = 1_000; !isDone; added += 100) {
      await add(100, added);
      await sleep(0);
    }
    await flushed;
    const stored = new Set(ids());
    expect(eventsOf(1_000).every(({ external_id }) => stored.has(external_id))).toBe(true);
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
});
