import { ALL, type CheckDefinition, eventsOf, expectEqual, idsOf, numbers } from "./check.ts";

/** Checks of an outbox whose events outlive the object. */
export const durableChecks: readonly CheckDefinition[] = [
  {
    name: "events are there after close",
    requires: "durable",
    run: async (open) => {
      const before = await open();
      await before.append(eventsOf(numbers(3)));
      await before.close();
      const after = await open();
      expectEqual("events", (await after.state()).events, 3);
      expectEqual("take", idsOf(await after.take(ALL)), ["1", "2", "3"]);
    },
  },
  {
    name: "close releases leased events, and confirmed ones stay removed",
    requires: "durable",
    run: async (open) => {
      const before = await open();
      await before.append(eventsOf(numbers(4)));
      const taken = await before.take({ ...ALL, events: 3 });
      await before.confirm(taken.slice(0, 2));
      await before.close();
      expectEqual("take", idsOf(await (await open()).take(ALL)).sort(), ["3", "4"]);
    },
  },
];
