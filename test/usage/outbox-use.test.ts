import { describe, expect, it, vi } from "vitest";
import { memoryOutbox } from "../../src/usage/index.ts";
import { buffered, outboxWith, through } from "./service.ts";

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

  it("when events are confirmed is tried again before the Retry-After of others has passed", async () => {
    const outbox = memoryOutbox();
    const limited = new Response(null, { status: 429, headers: { "retry-after": "60" } });
    const requests = vi.fn().mockResolvedValue(limited).mockResolvedValueOnce(undefined);
    const { add, onRetry, usage } = buffered({ outbox, maxBatchEvents: 1 }, through(requests));
    vi.spyOn(outbox, "confirm").mockImplementationOnce(async () => {
      await expect.poll(() => onRetry).toHaveBeenCalled();
      throw new Error("no confirm");
    });
    await add(2);
    await expect.poll(() => usage.stats()).toMatchObject({ queued: 1, sent: 1 });
  });

  it("by rejecting in a timer is reported, and the process continues", async () => {
    const outbox = outboxWith({ leaseDuration: 15, pollInterval: 5, extend: async () => {} });
    const { add, mock, onError, usage } = buffered({ outbox });
    mock.fault({ kind: "timeout" });
    await add(1);
    const thrown = (method: "state" | "extend") => async () => {
      throw new Error(`no ${method}`);
    };
    Object.assign(outbox, { state: thrown("state"), extend: thrown("extend") });
    const messages = () => new Set(onError.mock.calls.map(([error]) => error.message));
    await expect.poll(messages).toEqual(new Set(["no state", "no extend"]));
    await expect(usage.flush()).rejects.toThrow("no state");
    // `onError` may call `stats`.
    onError.mockClear();
    const unknown = { queued: undefined, oldestAge: undefined };
    expect(await usage.stats()).toMatchObject({ ...unknown, sent: 0, overflowed: 0 });
    expect(onError).not.toHaveBeenCalled();
  });

  it("because its driver has parsed the JSON is reported, and keeps its events", async () => {
    const returned = [{ id: "1", json: { name: "api.call" }, bytes: 20 }];
    const outbox = outboxWith({ take: async () => returned as never });
    const [confirm, release] = [vi.spyOn(outbox, "confirm"), vi.spyOn(outbox, "release")];
    const { add, onError, usage } = buffered({ outbox });
    await add(1);
    const message = "take of the outbox must return the text of an event in json; it returned object";
    await expect(usage.flush()).rejects.toMatchObject({ name: "TypeError", message });
    expect(onError).toHaveBeenCalledWith(expect.objectContaining({ message }));
    expect(confirm).not.toHaveBeenCalled();
    expect(release).toHaveBeenCalledWith(returned);
  });
});
