import { describe, expect, it, vi } from "vitest";
import type { Event } from "#current";
import {
  createEventBuffer,
  type EventBufferOptions,
  memoryOutbox,
  OutboxError,
  type SentBatch,
} from "../../src/usage/index.ts";
import { addAll, bad, buffered, eventsOf, outboxWith, type Service, service } from "./service.ts";

/** Creates a buffer that logs, without functions of the user. */
function logged(options: EventBufferOptions<Event> = {}, given?: Service) {
  const warn = vi.fn();
  const none = { onRejected: undefined, onDropped: undefined, onRetry: undefined, onError: undefined } as object;
  const logger = { debug: () => {}, warn };
  const warnings = () => warn.mock.calls.map(([message]) => message as string);
  return { ...buffered({ ...none, logger, logLevel: "warn", ...options }, given), warnings };
}

it.each([
  ["mine", () => expect.fail("mine")],
  ["mine", () => Promise.reject(new Error("mine"))],
  ["an unreadable value of type object", () => Promise.reject(Object.create(null))],
  ["an unreadable value of type object", () => Promise.reject(Object.assign(new Error(), { message: Symbol("mine") }))],
])("functions of a user that throw %s do not stop shipping (%#)", async (thrown, fails) => {
  const { mock, usage, warnings } = logged({ onSent: fails, onRejected: fails, onRetry: fails, onError: fails });
  mock.fault({ status: 401, times: 2 });
  await addAll(usage, [...eventsOf(3), bad("bad")]);
  await expect.poll(() => mock.events.size).toBe(3);
  await usage.flush();
  expect(await usage.stats()).toMatchObject({ queued: 0, sent: 3, rejected: 1 });
  const names = ["onRetry", "onRetry", "onError", "onRejected", "onSent"];
  const failures = warnings().filter((message) => message.endsWith(thrown));
  expect(failures).toEqual(names.map((name) => `${name} failed: ${thrown}`));
});

it("functions of a user may be methods of a class", async () => {
  const sent: SentBatch[] = [];
  class Sink {
    readonly #sent = sent;
    onSent(batch: SentBatch) {
      this.#sent.push(batch);
    }
  }
  const usage = createEventBuffer(service().billing, new Sink());
  await usage.add(eventsOf(1)[0]!);
  await usage.close();
  expect(sent).toMatchObject([{ inserted: 1 }]);
});

it("a rejected event leaves the outbox, after the others, when the promise of onRejected settles, or after 10 seconds", async () => {
  const written = Promise.withResolvers<void>();
  const onRejected = vi.fn(() => new Promise<void>(() => {})).mockReturnValueOnce(written.promise);
  const { usage, warnings } = logged({ onRejected, outbox: outboxWith({ durable: true }) });
  await addAll(usage, [bad("first"), ...eventsOf(1)]);
  await expect(usage.flush({ timeout: 50 })).rejects.toMatchObject({ reason: "timeout" });
  expect(await usage.stats()).toMatchObject({ queued: 1, sent: 1, rejected: 1 });
  written.resolve();
  await usage.flush();
  vi.useFakeTimers();
  await usage.add(bad("second"));
  await Promise.all([usage.flush(), vi.advanceTimersByTimeAsync(11_000)]);
  expect(warnings()).toEqual(["onRejected failed: its promise did not settle within 10 seconds"]);
  await usage.add(bad("third"));
  await vi.advanceTimersByTimeAsync(100);
  await Promise.all([usage.close({ timeout: 0 }), vi.advanceTimersByTimeAsync(100)]);
  expect(await usage.stats()).toMatchObject({ queued: 1, rejected: 3 });
});

describe("without functions of the user, warnings are logged", () => {
  it("for rejected events, and once when an outage begins and when it is over", async () => {
    const { mock, usage, warnings } = logged();
    mock.fault({ status: 403, body: { detail: "No access." }, times: 5 });
    await usage.add(bad("bad"));
    await expect.poll(warnings).toHaveLength(3);
    expect(warnings()).toEqual([
      expect.stringMatching(
        /^Usage events cannot be sent since \d{4}-.*Z: events:ingest: 403 No access\. 1 queued, retrying until it works\.$/,
      ),
      "Usage events are sent again after 1 s and 5 failed requests.",
      "1 usage event was rejected: bad (customer_id: Input should be a valid UUID). To handle rejected events, set onRejected.",
    ]);
  });

  it("for the first failure if the service asks for a long delay, but not for a single short one", async () => {
    const { add, mock, usage, warnings } = logged();
    mock.fault({ status: 503, times: 1 });
    await add(1);
    await usage.flush();
    expect(warnings()).toEqual([]);
    mock.fault({ status: 503, retryAfter: 600, times: 1 });
    await add(1, 2);
    await expect.poll(warnings).toEqual([expect.stringContaining("503")]);
  });

  it("once for an outbox that fails again and again", async () => {
    const outbox = memoryOutbox();
    const confirm = vi.spyOn(outbox, "confirm").mockRejectedValueOnce(new OutboxError("full", "no room"));
    const { add, usage, warnings } = logged({ outbox, maxBatchEvents: 1 });
    await add(5);
    await expect.poll(async () => (await usage.stats()).sent).toBe(5);
    confirm.mockRejectedValueOnce(new OutboxError("full", "no room"));
    await add(1, 6);
    await usage.flush().catch(() => usage.flush());
    expect(warnings()).toEqual(["The outbox of usage events failed: no room"]);
  });

  it.each([
    [{ inserted: 0, duplicates: 0 }, 0],
    [null, undefined],
  ])(
    "for a response whose numbers differ from the batch, and its events count as unconfirmed: %j",
    async (data, count) => {
      const ingest = vi.fn(async () => data);
      const [onError, onSent] = [vi.fn(), vi.fn()];
      const { add, usage, warnings } = logged({ onError, onSent }, { billing: { events: { ingest } } } as never);
      await add(3);
      await usage.flush();
      const counts = `${count} inserted and ${count} duplicates`;
      const message = `events:ingest: the service responded with ${counts} to a request with 3 events; they may not all be stored`;
      expect(warnings()).toEqual([message]);
      expect(onError.mock.calls).toEqual([[expect.objectContaining({ name: "ResponseMismatchError", message })]]);
      expect(onSent).not.toHaveBeenCalled();
      expect(await usage.stats()).toMatchObject({ queued: 0, sent: 0, duplicates: 0, unconfirmed: 3 });
      expect(ingest).toHaveBeenCalledTimes(1);
    },
  );
});
