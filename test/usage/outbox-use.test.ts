import { describe, expect, it, vi } from "vitest";
import { memoryOutbox } from "../../src/usage/index.ts";
import { buffered, outboxWith } from "./service.ts";

describe("an outbox that fails", () => {
  it("when events are taken or confirmed is reported and tried again, and ends a flush with its error", async () => {
    const outbox = memoryOutbox();
    vi.spyOn(outbox, "take").mockRejectedValueOnce(new Error("no take"));
    vi.spyOn(outbox, "confirm").mockRejectedValueOnce(new Error("no confirm"));
    const { add, mock, onError, usage } = buffered({ outbox });
    await add(1);
    await expect.poll(() => usage.stats()).toMatchObject({ queued: 0, sent: 1 });
    expect(onError.mock.calls.map(([error]) => error.message)).toEqual(["no take", "no confirm"]);
    expect(mock.requests.count).toBe(1);
    const unreadable = Object.create(null);
    vi.spyOn(outbox, "take").mockRejectedValueOnce(unreadable);
    await add(1, 2);
    await expect(usage.flush()).rejects.toBe(unreadable);
    expect(onError.mock.lastCall?.[0].message).toBe("an unreadable value of type object");
    await usage.flush();
  });

  it("by throwing from a timer is reported, and the process continues", async () => {
    const outbox = outboxWith({ leaseDuration: 15, pollInterval: 5 });
    const { add, mock, onError, usage } = buffered({ outbox });
    mock.fault({ kind: "timeout" });
    await add(1);
    const thrown = (method: "state" | "extend") => () => {
      throw new Error(`no ${method}`);
    };
    Object.assign(outbox, { state: thrown("state"), extend: thrown("extend") });
    const messages = () => new Set(onError.mock.calls.map(([error]) => error.message));
    await expect.poll(messages).toEqual(new Set(["no state", "no extend"]));
    await expect(usage.flush()).rejects.toThrow("no state");
  });

  it.each([undefined, {}, "events"])("by returning %j instead of entries is reported", async (returned) => {
    const { add, usage } = buffered({ outbox: outboxWith({ take: (() => returned) as never }) });
    await add(1);
    const message = `take of the outbox must return an array; it returned ${typeof returned}`;
    await expect(usage.flush({ timeout: 10_000 })).rejects.toMatchObject({ name: "TypeError", message });
  });
});
