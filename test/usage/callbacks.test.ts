import { describe, expect, it, vi } from "vitest";
import type { EventBufferOptions } from "../../src/usage/index.ts";
import type { BillingClient, Event } from "../../versions/2025-01/index.ts";
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
    const failures = warn.mock.calls.map(([message]) => message).filter((message) => message.endsWith("mine"));
    expect(failures).toEqual(names.map((name) => `${name} failed: mine`));
  });
});

describe("without functions of the user, warnings are logged", () => {
  function logged(billing: BillingClient, options: EventBufferOptions<Event> = {}) {
    const warn = vi.fn();
    const usage = buffer(billing, { logger: { debug: () => {}, warn }, logLevel: "warn", ...options });
    return { usage, warnings: () => warn.mock.calls.map(([message]) => message as string) };
  }

  it("for rejected events, and once when an outage begins and when it is over", async () => {
    const { billing, mock } = service();
    mock.fault({ status: 403, times: 5 });
    const { usage, warnings } = logged(billing);
    await usage.add(bad("bad"));
    await expect.poll(warnings).toHaveLength(3);
    expect(warnings()).toEqual([
      expect.stringMatching(
        /^Usage events cannot be sent since \d{4}-.*Z: events:ingest: 403 Forbidden\. 1 queued, retrying until it works\.$/,
      ),
      "Usage events are sent again after 0 s and 5 failed requests.",
      "1 usage event was rejected: bad (customer_id: Input should be a valid UUID). To handle rejected events, set onRejected.",
    ]);
  });

  it("for the first failure if the service asks for a long delay, but not for a single short one", async () => {
    const { billing, mock } = service();
    mock.fault({ status: 503, times: 1 });
    const { usage, warnings } = logged(billing);
    await usage.add(eventsOf(1)[0]!);
    await usage.flush();
    expect(warnings()).toEqual([]);
    mock.fault({ status: 503, retryAfter: 600, times: 1 });
    await usage.add(eventsOf(1, 2)[0]!);
    await expect.poll(warnings).toEqual([expect.stringContaining("503")]);
  });

  it("for a response whose numbers differ from the batch, and its events count as unconfirmed", async () => {
    const ingest = vi.fn(async () => ({ inserted: 0, duplicates: 0 }));
    const onError = vi.fn();
    const onSent = vi.fn();
    const { usage, warnings } = logged({ events: { ingest } } as never, { onError, onSent });
    await Promise.all(eventsOf(3).map((event) => usage.add(event)));
    await usage.flush();
    const message =
      "events:ingest: the service responded with 0 inserted and 0 duplicates to a request with 3 events; they may not all be stored";
    expect(warnings()).toEqual([message]);
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ name: "ResponseMismatchError", message })]]);
    expect(onSent).not.toHaveBeenCalled();
    expect(await usage.stats()).toMatchObject({ queued: 0, sent: 0, duplicates: 0, unconfirmed: 3 });
    expect(ingest).toHaveBeenCalledTimes(1);
  });
});
