import { describeValue } from "../../values/describe.ts";
import type { Outbox, OutboxEvent, OutboxState } from "../outbox.ts";

/**
 * Returns an outbox whose methods always return promises. They reject with a `TypeError` if the given outbox returns something
 * that its interface does not allow: drivers of databases parse JSON, and return large integers as strings.
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
      must(Array.isArray(events), "take", "an array", events);
      const others: (Partial<OutboxEvent> | null)[] = events.filter((entry) => typeof entry?.json !== "string");
      if (others.length > 0) await this.release(events).catch(() => undefined);
      must(others.length === 0, "take", "a string in json, from a column of type text", others[0]?.json);
      return events;
    },
    extend: async (events) => outbox.extend?.(events),
    confirm: async (events) => outbox.confirm(events),
    release: async (events) => outbox.release(events),
    state: async () => {
      const state: Partial<OutboxState> | undefined = await outbox.state();
      const { events, oldest = 0, positions = [0, 0] } = state ?? {};
      must(Number.isSafeInteger(events) && Number(events) >= 0, "state", "an integer from 0 in events", events);
      const numbers = { oldest, "positions[0]": positions?.[0], "positions[1]": positions?.[1] };
      for (const [name, value] of Object.entries(numbers))
        must(Number.isFinite(value), "state", `a number in ${name}`, value);
      return state as OutboxState;
    },
    close: async () => outbox.close(),
  };
}

function must(isValid: boolean, method: string, requirement: string, value: unknown): void {
  if (isValid) return;
  throw new TypeError(`${method} of the outbox must return ${requirement}; it returned ${describeValue(value)}`);
}
