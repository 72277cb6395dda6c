import { describe, expect, it, vi } from "vitest";
import { bad, buffer, eventsOf, service } from "./service.ts";

describe("functions of the user that throw do not stop shipping", () => {
  it.each(["synchronously", "as a promise"])("%s", async (how) => {
    const { billing, mock } = service();
    const warn = vi.fn();
    const fails = vi.fn(() => {
      if (how === "as a promise") return Promise.reject(new Error("mine"));
      throw new Error("mine");
    });
    const usage = buffer(billing, {
      onSent: fails,
      onRejected: fails,
      onRetry: fails,
      onError: fails,
      logger: { debug: () => {}, warn },
      logLevel: "warn",
    });
    mock.fault({ status: 401, times: 2 });
    await Promise.all([...eventsOf(3), bad("bad")].map((event) => usage.add(event)));
    await vi.waitFor(() => expect(mock.events.size).toBe(3));
    await usage.flush();
    expect(await usage.stats()).toMatchObject({ queued: 0, sent: 3, rejected: 1 });
    const names = ["onRetry", "onRetry", "onError", "onRejected", "onSent"];
    expect(warn.mock.calls.map(([message]) => message)).toEqual(names.map((name) => `${name} failed: mine`));
  });
});

describe("without functions of the user, warnings are logged", () => {
  it("for rejected events and for errors that last", async () => {
    const { billing, mock } = service();
    const warn = vi.fn();
    mock.fault({ status: 403, times: 2 });
    const usage = buffer(billing, { logger: { debug: () => {}, warn }, logLevel: "warn" });
    await usage.add(bad("bad"));
    await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(2));
    expect(warn.mock.calls.map(([message]) => message)).toEqual([
      "Usage events cannot be sent at the moment: events:ingest: 403 Forbidden",
      "1 usage event was rejected: bad (customer_id: Input should be a valid UUID). To handle rejected events, set onRejected.",
    ]);
  });
});
