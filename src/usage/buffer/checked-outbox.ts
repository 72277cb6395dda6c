import { describeValue } from "../../values/describe.ts";
import type { Outbox } from "../outbox.ts";

/**
 * Returns an outbox whose methods always return promises. Drivers of databases parse JSON, which is rejected with a `TypeError`,
 * because its text is needed, and return large integers as strings, which become numbers.
 */
export function checkedOutbox(outbox: Outbox): Outbox {
  const { durable, leaseDuration, pollInterval } = outbox;
  return {
    durable,
    leaseDuration,
    pollInterval,
    check: async () => outbox.check?.(),
    append: async (events) => outbox.append(events),
    async take(limit) {
      const events = await outbox.take(limit);
      const other = events.find((entry) => typeof entry?.json !== "string");
      if (other === undefined) return events;
      await this.release(events).catch(() => undefined);
      const received = describeValue(other.json);
      throw new TypeError(`take of the outbox must return the text of an event in json; it returned ${received}`);
    },
    extend: async (events) => outbox.extend?.(events),
    confirm: async (events) => outbox.confirm(events),
    release: async (events) => outbox.release(events),
    async state() {
      const { events, oldest, positions } = await outbox.state();
      const [first, last] = (positions ?? []).map(Number);
      return {
        events: Number(events),
        oldest: oldest == null ? undefined : Number(oldest),
        positions: first === undefined || last === undefined ? undefined : [first, last],
      };
    },
    close: async () => outbox.close(),
  };
}
