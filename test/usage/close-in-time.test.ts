import { describe, expect, it, onTestFinished, vi } from "vitest";
import { memoryOutbox, type Outbox } from "../../src/usage/index.ts";
import { hasRedis } from "../support/redis-server.ts";
import { opened } from "./redis-clients.ts";
import { buffer, eventsOf, service, sleep } from "./service.ts";

const never = () => new Promise<never>(() => {});

/** An outbox in memory with other methods. */
function changed(change: Partial<Outbox>): Outbox {
  const outbox = memoryOutbox();
  for (const name of ["append", "take", "confirm", "release", "state", "close"] as const) {
    outbox[name] = outbox[name].bind(outbox) as never;
  }
  return Object.assign(outbox, change);
}

/** Returns how long a call takes, and its error. */
async function timed(call: () => Promise<unknown>) {
  const started = performance.now();
  const error = await call().then(
    () => undefined,
    (reason: { name: string; reason: string; message: string }) => reason,
  );
  return { error, duration: performance.now() - started };
}

describe("close ends at most a second after its timeout", () => {
  const methods = ["append", "take", "confirm", "state", "close"] as const;
  it.each(methods.flatMap((method) => [false, true].map((durable) => [method, durable] as const)))(
    "if `%s` of the outbox never ends (durable: %s)",
    async (method, durable) => {
      const { billing } = service();
      const onError = vi.fn();
      const usage = buffer(billing, { outbox: changed({ [method]: never, durable }), onError });
      const added = usage.add(eventsOf(1)[0]!).then(
        () => "added",
        ({ reason }) => reason,
      );
      const flushed = usage.flush().catch(({ reason }) => reason);
      await sleep(20);
      const { error, duration } = await timed(() => usage.close({ timeout: 50 }));
      expect(duration).toBeLessThan(1_050);
      const isStored = method !== "append" && method !== "state";
      expect(await added).toBe(isStored ? "added" : "closed");
      expect(await flushed).toBe(method === "close" ? undefined : "closed");
      if (method === "close") expect(error).toMatchObject({ name: "OutboxError", reason: "unavailable" });
      else if (isStored && !durable) expect(error).toMatchObject({ name: "EventBufferError", reason: "unsent" });
      else expect(error).toBeUndefined();
      if (method !== "close") expect(onError).toHaveBeenCalledWith(expect.objectContaining({ reason: "unavailable" }));
      expect(await usage.stats()).toMatchObject({ queued: isStored && method !== "close" ? 1 : 0 });
    },
  );

  it("if releasing events never ends, and counts what is lost once", async () => {
    const { billing, mock } = service();
    mock.fault({ status: 503 });
    const usage = buffer(billing, { outbox: changed({ release: never }) });
    await usage.add(eventsOf(1)[0]!);
    await vi.waitFor(() => expect(mock.requests.count).toBeGreaterThan(0));
    const { error, duration } = await timed(() => usage.close({ timeout: 10 }));
    expect(duration).toBeLessThan(1_010);
    expect(error?.message).toContain("close: lost 1 event (");
  });

  it.runIf(hasRedis)("if Redis stops responding", async () => {
    const { client, outbox } = await opened();
    const { billing, mock } = service();
    const usage = buffer(billing, { outbox, maxDelay: 60_000 });
    await usage.add(eventsOf(1)[0]!);
    await usage.flush();
    await usage.add(eventsOf(1, 2)[0]!);
    const pid = Number(/process_id:(\d+)/.exec(await client.info("server"))?.[1]);
    process.kill(pid, "SIGSTOP");
    onTestFinished(() => void process.kill(pid, "SIGCONT"));
    const { error, duration } = await timed(() => usage.close({ timeout: 100 }));
    expect(duration).toBeLessThan(1_100);
    expect(error).toMatchObject({ name: "OutboxError", reason: "unavailable" });
    expect(mock.events.size).toBe(1);
  });

  it("if closeOnExit calls it", async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const kill = vi.spyOn(process, "kill").mockReturnValue(true);
    onTestFinished(() => kill.mockRestore());
    const { billing } = service();
    buffer(billing, { outbox: changed({ state: never, close: never, durable: true }), closeOnExit: true });
    process.rawListeners("SIGTERM").at(-1)?.();
    await vi.advanceTimersByTimeAsync(30_000);
    expect(kill).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1_000);
    expect(kill).toHaveBeenCalledWith(process.pid, "SIGTERM");
  });
});

describe("an outbox whose methods throw", () => {
  it("from a timer is reported, and the process continues", async () => {
    const { billing } = service();
    const thrown = vi.fn(() => {
      throw new Error("thrown");
    });
    const onError = vi.fn();
    const outbox = changed({ state: thrown, extend: thrown, leaseDuration: 15, pollInterval: 5 });
    const usage = buffer(billing, { outbox, onError });
    await usage.add(eventsOf(1)[0]!);
    await expect.poll(() => thrown.mock.calls.length).toBeGreaterThan(3);
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ message: "thrown" }));
    await expect(usage.flush()).rejects.toThrow("thrown");
  });

  it("or return something else is reported", async () => {
    const { billing } = service();
    const onError = vi.fn();
    const usage = buffer(billing, { outbox: changed({ take: (() => "events") as never }), onError });
    await usage.add(eventsOf(1)[0]!);
    await expect(usage.flush()).rejects.toThrow("take of the outbox must return an array; it returned string");
  });

  it.each([
    [{ pollInterval: 0 }, "createEventBuffer: outbox.pollInterval must be a number from 1 to 2147483647; received 0"],
    [{ leaseDuration: "1s" }, "createEventBuffer: outbox.leaseDuration must be a number from 1 to 2147483647"],
  ])("%j is rejected", (change, message) => {
    const { billing } = service();
    expect(() => buffer(billing, { outbox: changed(change as never) })).toThrow(message);
  });
});
