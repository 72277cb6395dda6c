import { expect, it, vi } from "vitest";
import type { Event } from "#current";
import { createEventBuffer, type EventBufferOptions, memoryOutbox, OutboxError } from "../../src/usage/index.ts";
import { buffered, eventsOf, type Service, service } from "./service.ts";

/** Creates a buffer that logs, without functions of the user. */
function logged(options: EventBufferOptions<Event> = {}, given?: Service) {
  const warn = vi.fn();
  const none = { onRejected: undefined, onRetry: undefined, onError: undefined } as object;
  const logger = { debug: () => {}, warn };
  const warnings = () => warn.mock.calls.map(([message]) => message as string);
  return { ...buffered({ ...none, logger, logLevel: "warn", ...options }, given), warnings };
}

it.each([
  ["mine", () => expect.fail("mine")],
  ["mine", () => Promise.reject(new Error("mine"))],
  ["an unreadable value of type object", () => Promise.reject(Object.create(null))],
  ["an unreadable value of type object", () => Promise.reject(Object.assign(new Error(), { message: Symbol("mine") }))],
])("functions of a user that throw %s do not stop sending (%#)", async (thrown, fails) => {
  const { add, mock, usage, warnings } = logged({ onRetry: fails, onError: fails });
  mock.fault({ status: 401, times: 2 });
  await add(3);
  await expect.poll(() => mock.events.size).toBe(3);
  await usage.flush();
  expect(await usage.stats()).toMatchObject({ queued: 0, sent: 3 });
  const names = ["onRetry", "onRetry", "onError"];
  expect(warnings()).toEqual(names.map((name) => `${name} failed: ${thrown}`));
});

it("functions of a user may be methods of a class", async () => {
  const failed: Error[] = [];
  class Sink {
    readonly #failed = failed;
    onError(error: Error) {
      this.#failed.push(error);
    }
  }
  const { billing, mock } = service();
  mock.fault({ status: 401, times: 2 });
  const usage = createEventBuffer(billing, new Sink());
  await usage.add(eventsOf(1)[0]!);
  await usage.close().catch(() => undefined);
  expect(failed).toMatchObject([{ status: 401 }]);
});

it("without onError, an outbox that fails again and again is logged once", async () => {
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
