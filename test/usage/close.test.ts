import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it, vi } from "vitest";
import type { EventBuffer, UsageEvent } from "../../src/usage/index.ts";
import { started } from "../support/started-server.ts";
import { buffered, eventsOf, outboxWith, service } from "./service.ts";

const never = () => new Promise<never>(() => {});

/** Closes a buffer, lets time pass until a second after the timeout, and returns the error of `close`. */
async function closed(usage: EventBuffer<UsageEvent>, timeout: number): Promise<Error | undefined> {
  vi.useFakeTimers();
  const late = new Promise<Error>((resolve) => setTimeout(() => resolve(new Error("too late")), timeout + 1_000));
  const ended = Promise.race([late, usage.close({ timeout }).catch((error: Error) => error)]);
  await vi.advanceTimersByTimeAsync(timeout + 1_000);
  return (await ended) ?? undefined;
}

describe("close", () => {
  it("returns the same promise for every call; then add and flush reject, and stats still works", async () => {
    const { add, usage } = buffered();
    await add(1);
    expect(usage.close()).toBe(usage.close());
    await usage.close();
    const message = "add: the buffer is closed; the event is not stored";
    await expect(add(1, 2)).rejects.toMatchObject({ name: "EventBufferError", reason: "closed", message });
    const flushed = { name: "EventBufferError", reason: "closed", message: "flush: the buffer is closed" };
    await expect(usage.flush()).rejects.toMatchObject(flushed);
    expect(await usage.stats()).toMatchObject({ queued: 0, sent: 1 });
  });

  it("gives back the events that it could not send if the outbox is not durable", async () => {
    const { add, mock, onRetry, usage } = buffered({ maxBatchEvents: 2 });
    mock.fault({ status: 503 });
    await add(5);
    await expect.poll(() => onRetry).toHaveBeenCalled();
    const problem = "close: 5 events were not sent (events:ingest: 503). error.events has them";
    const message = expect.stringContaining(problem);
    const error = await usage.close({ timeout: 30 }).catch((thrown) => thrown);
    expect(error).toMatchObject({ name: "EventBufferError", reason: "unsent", message });
    expect(error.events).toEqual(eventsOf(5));
    expect(await usage.stats()).toMatchObject({ queued: 0, dropped: 5 });
  });

  it("counts lost events once if the outbox then does not say what is left", async () => {
    const outbox = outboxWith();
    vi.spyOn(outbox, "confirm").mockImplementation(async () => {
      outbox.state = never;
    });
    const { add, mock, usage } = buffered({ outbox });
    mock.fault({ status: 503 });
    await add(5);
    await expect(usage.close({ timeout: 30 })).rejects.toThrow("close: 5 events were not sent (");
    expect(await usage.stats()).toMatchObject({ queued: 0, dropped: 5 });
  });

  it("logs how many events stay in a durable outbox, and why", async () => {
    const logger = { debug: vi.fn(), warn: vi.fn() };
    const { add, mock, onRetry, usage } = buffered({ outbox: outboxWith({ durable: true }), logger, logLevel: "warn" });
    mock.fault({ status: 503 });
    await add(5);
    await expect.poll(() => onRetry).toHaveBeenCalled();
    await usage.close({ timeout: 0 });
    const why = "events:ingest: 503";
    const message = `Usage events that stay in the outbox until the next start: 5 (${why}).`;
    expect(logger.warn).toHaveBeenCalledWith(message, { queued: 5 });
  });
});

it.each([false, true])(
  "close says until when the service asks to wait, beyond its timeout (durable: %s)",
  async (durable) => {
    const warn = vi.fn();
    const options = { outbox: outboxWith({ durable }), logger: { debug: () => {}, warn }, logLevel: "warn" } as const;
    const { add, mock, onRetry, usage } = buffered(options);
    mock.fault({ status: 429, retryAfter: 600 });
    await add(1);
    await expect.poll(() => onRetry).toHaveBeenCalled();
    const error = await usage.close({ timeout: 20 }).catch((thrown) => thrown);
    const text = durable ? warn.mock.lastCall?.[0] : error.message;
    const [, until = ""] = /429; the service asks to wait until (\S+Z)\)/.exec(text) ?? [];
    expect(Math.abs(Date.parse(until) - Date.now() - 600_000)).toBeLessThan(60_000);
  },
);

it("close tries once more just before its timeout, although a retry is due later", async () => {
  const given = service();
  const { add, mock, onRetry, usage } = buffered({ minRetryDelay: 60_000, maxRetryDelay: 60_000 }, given);
  mock.fault({ status: 503, times: 1 });
  vi.useFakeTimers();
  await add(1);
  await vi.advanceTimersByTimeAsync(100);
  expect(onRetry).toHaveBeenCalledOnce();
  const closed = usage.close({ timeout: 20_000 });
  // The flush of close tries at once; then the service is down until shortly before the end.
  mock.fault({ status: 503, times: 1 });
  await vi.advanceTimersByTimeAsync(20_000);
  await closed;
  expect(mock.events.size).toBe(1);
});

describe("close ends at most a second after its timeout", () => {
  const methods = ["append", "take", "confirm", "state", "close"] as const;
  it.each(methods.flatMap((method) => [false, true].map((durable) => [method, durable] as const)))(
    "if `%s` of the outbox never ends (durable: %s)",
    async (method, durable) => {
      const { add, onError, usage } = buffered({ outbox: outboxWith({ [method]: never, durable }) });
      const added = add(1).then(
        () => "added",
        ({ reason, event }) => [reason, event.external_id],
      );
      const flushed = usage.flush().catch(({ reason }) => reason);
      await sleep(20);
      const error = await closed(usage, 50);
      const isStored = method !== "append" && method !== "state";
      expect(await added).toEqual(isStored ? "added" : ["unavailable", "event-1"]);
      expect(await flushed).toBe(method === "close" ? undefined : "closed");
      if (method === "close") expect(error).toMatchObject({ name: "OutboxError", reason: "unavailable" });
      else if (isStored && !durable) expect(error).toMatchObject({ name: "EventBufferError", reason: "unsent" });
      else expect(error).toBeUndefined();
      if (method !== "close") expect(onError).toHaveBeenCalledWith(expect.objectContaining({ reason: "unavailable" }));
      expect(await usage.stats()).toMatchObject({ queued: isStored && method !== "close" ? 1 : 0 });
    },
  );

  it.each([{}, { release: never }])("if a request hangs, with %o, and counts what is lost once", async (broken) => {
    const { add, mock, usage } = buffered({ outbox: outboxWith(broken) });
    mock.fault({ kind: "timeout" });
    await add(1);
    await expect.poll(() => mock.requests.count).toBe(1);
    const error = await closed(usage, 10);
    expect(error?.message).toContain("close: 1 event was not sent (");
  });
});

it("a process without close ends when its events are sent", async () => {
  const server = await started();
  const file = new URL("./exiting-process.ts", import.meta.url);
  const child = fork(file, [server.url, server.mock.issueToken()]);
  await once(child, "exit");
  expect({ stored: server.mock.events.size, exitCode: child.exitCode }).toEqual({ stored: 1, exitCode: 0 });
});
