import type { Outbox } from "../outbox/index.ts";
import { ALL, type CheckDefinition, eventsOf, expectEqual, idsOf, numbers, type OpenOutbox, pause } from "./check.ts";

/** Checks of an outbox that several processes use at a time. */
export const sharedChecks: readonly CheckDefinition[] = [
  {
    name: "an event is leased to one object at a time",
    requires: "shared",
    run: async (open) => {
      const [one, other] = [await open(), await open()];
      await one.append(eventsOf(numbers(4)));
      const takes = await Promise.all([one, other].map((outbox) => outbox.take({ ...ALL, events: 2 })));
      expectEqual("both takes", takes.flatMap(idsOf).sort(), ["1", "2", "3", "4"]);
      expectEqual("a later take", idsOf([...(await one.take(ALL)), ...(await other.take(ALL))]), []);
    },
  },
  {
    name: "events are available to objects that did not append them",
    requires: "shared",
    run: async (open) => {
      const [one, other] = [await open(), await open()];
      await one.append(eventsOf(["1"]));
      await other.append(eventsOf(["2"]));
      const taken = await other.take(ALL);
      expectEqual("take", idsOf(taken).sort(), ["1", "2"]);
      expectEqual("events while leased", (await one.state()).events, 2);
      await other.confirm(taken);
      expectEqual("events", (await one.state()).events, 0);
    },
  },
  {
    name: "close makes leased events available to the others",
    requires: "shared",
    run: async (open) => {
      const [one, other] = [await open(), await open()];
      await one.append(eventsOf(["1", "2"]));
      await one.take({ ...ALL, events: 1 });
      await one.close();
      expectEqual("take", idsOf(await other.take(ALL)).sort(), ["1", "2"]);
    },
  },
  {
    name: "extend ignores removed events",
    requires: "shared",
    run: async (open) => {
      const outbox = await open();
      await outbox.append(eventsOf(["1"]));
      const taken = await outbox.take(ALL);
      await outbox.confirm(taken);
      await outbox.extend?.(taken);
      expectEqual("events", (await outbox.state()).events, 0);
      await pause((outbox.leaseDuration ?? 0) * 1.2);
      expectEqual("take after the lease", idsOf(await outbox.take(ALL)), []);
    },
  },
  {
    name: "a lease that is not extended ends, and another object gets its events",
    requires: "shared",
    run: async (open) => {
      const [one, other, duration] = await leasing(open);
      const [kept, lost] = [await one.take({ ...ALL, events: 1 }), await one.take({ ...ALL, events: 1 })];
      await extendFor(one, kept, duration * 1.5);
      const claimed = await other.take(ALL);
      expectEqual("the events of the ended lease", idsOf(claimed), idsOf(lost));
      await one.confirm(lost);
      expectEqual("events after a late confirm", (await other.state()).events, 1);
    },
  },
];

async function leasing(open: OpenOutbox): Promise<[Outbox, Outbox, number]> {
  const [one, other] = [await open(), await open()];
  const { leaseDuration } = one;
  if (leaseDuration === undefined) throw new Error("leaseDuration: expected a number in a shared outbox");
  if (one.extend === undefined) throw new Error("extend: expected a function, because leaseDuration is set");
  await one.append(eventsOf(["1", "2"]));
  return [one, other, leaseDuration];
}

async function extendFor(outbox: Outbox, entries: Awaited<ReturnType<Outbox["take"]>>, time: number): Promise<void> {
  const end = Date.now() + time;
  while (Date.now() < end) {
    await pause(Math.min((outbox.leaseDuration ?? time) / 5, end - Date.now()));
    await outbox.extend?.(entries);
  }
}
