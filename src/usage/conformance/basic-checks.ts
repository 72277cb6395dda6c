import type { Outbox, OutboxEntry } from "../outbox/index.ts";
import { ALL, type CheckDefinition, eventsOf, expectEqual, expectRejection, idsOf, numbers, pause } from "./check.ts";

/** Checks of every outbox. */
export const basicChecks: readonly CheckDefinition[] = [
  {
    name: "take returns the oldest events first",
    run: async (open) => {
      const outbox = await open();
      await outbox.append(eventsOf(["1", "2"]));
      await outbox.append(eventsOf(["3"]));
      expectEqual("take", idsOf(await outbox.take(ALL)), ["1", "2", "3"]);
    },
  },
  {
    name: "take returns events exactly as they were appended",
    run: async (open) => {
      const outbox = await open();
      const events = [...eventsOf(["1"], `é " \\ \u2028 \u0000 😀 \ud800`), ...eventsOf(["2"], "x".repeat(1_000_000))];
      await outbox.append(events);
      const taken = await outbox.take(ALL);
      expectEqual(
        "take",
        taken.map(({ json, bytes }) => ({ json, bytes })),
        events,
      );
    },
  },
  {
    name: "entries have unique ids",
    run: async (open) => {
      const outbox = await open();
      const [event = { json: "{}", bytes: 2 }] = eventsOf(["same"]);
      for (let round = 0; round < 3; round++) await outbox.append([event, event]);
      const ids = (await outbox.take(ALL)).map(({ id }) => id);
      expectEqual("the number of distinct ids", new Set(ids).size, 6);
    },
  },
  {
    name: "take returns at most `events` events",
    run: async (open) => {
      const outbox = await open();
      await outbox.append(eventsOf(numbers(5)));
      expectEqual("the first take", idsOf(await outbox.take({ ...ALL, events: 2 })), ["1", "2"]);
      expectEqual("the second take", idsOf(await outbox.take({ ...ALL, events: 2 })), ["3", "4"]);
      expectEqual("the third take", idsOf(await outbox.take({ ...ALL, events: 2 })), ["5"]);
    },
  },
  {
    name: "take returns at most `bytes` bytes, or one larger event",
    run: async (open) => {
      const outbox = await open();
      const events = [...eventsOf(numbers(4), "é".repeat(100)), ...eventsOf(["5"])];
      await outbox.append(events);
      const bytes = (events[0]?.bytes ?? 0) * 2;
      expectEqual("two events fit", idsOf(await outbox.take({ ...ALL, bytes })), ["1", "2"]);
      expectEqual("a larger event", idsOf(await outbox.take({ ...ALL, bytes: 1 })), ["3"]);
      expectEqual("the rest", idsOf(await outbox.take(ALL)), ["4", "5"]);
    },
  },
  {
    name: "leased events are not returned again",
    run: async (open) => {
      const outbox = await open();
      await outbox.append(eventsOf(numbers(4)));
      const takes = await Promise.all([1, 2, 3].map(() => outbox.take({ ...ALL, events: 2 })));
      expectEqual("all takes", takes.flatMap(idsOf).sort(), ["1", "2", "3", "4"]);
      expectEqual("a later take", idsOf(await outbox.take(ALL)), []);
    },
  },
  {
    name: "released events are returned again, before newer ones",
    run: async (open) => {
      const outbox = await open();
      await outbox.append(eventsOf(numbers(4)));
      await outbox.release(await outbox.take({ ...ALL, events: 2 }));
      expectEqual("take", idsOf(await outbox.take({ ...ALL, events: 2 })).sort(), ["1", "2"]);
      expectEqual("the rest", idsOf(await outbox.take(ALL)), ["3", "4"]);
    },
  },
  {
    name: "confirmed events are removed",
    run: async (open) => {
      const outbox = await open();
      await outbox.append(eventsOf(numbers(3)));
      const taken = await outbox.take({ ...ALL, events: 2 });
      await outbox.confirm(taken);
      await outbox.confirm(taken);
      await outbox.release(taken);
      expectEqual("take", idsOf(await outbox.take(ALL)), ["3"]);
    },
  },
  {
    name: "some events of a lease are confirmed, the others released",
    run: async (open) => {
      const outbox = await open();
      await outbox.append(eventsOf(numbers(5)));
      const taken = await outbox.take(ALL);
      await outbox.confirm(taken.filter((_, index) => index % 2 === 0));
      await outbox.release(taken.filter((_, index) => index % 2 === 1));
      expectEqual("take", idsOf(await outbox.take(ALL)).sort(), ["2", "4"]);
    },
  },
  {
    name: "state counts events until they are confirmed, and has the time of the oldest",
    run: async (open) => {
      const outbox = await open();
      expectEqual("state of an empty outbox", stateOf(await outbox.state()), { events: 0, oldest: null });
      const started = Date.now();
      await outbox.append(eventsOf(numbers(3)));
      const ended = Date.now();
      const taken = await outbox.take({ ...ALL, events: 2 });
      const { events, oldest = 0 } = await outbox.state();
      expectEqual("events", events, 3);
      expectEqual("oldest is the time of append, give or take a second", isNear(oldest, started, ended), true);
      await outbox.confirm([...taken, ...(await outbox.take(ALL))]);
      expectEqual("state at the end", stateOf(await outbox.state()), { events: 0, oldest: null });
    },
  },
  {
    name: "state has the positions of the oldest and the newest event, if it has any",
    run: async (open) => {
      const outbox = await open();
      await outbox.append(eventsOf(numbers(2)));
      const first = (await outbox.state()).positions;
      if (first === undefined) return;
      await pause(5); // Positions may be times.
      const [one] = await outbox.take({ ...ALL, events: 1 });
      await outbox.append(eventsOf(["3"]));
      const both = (await outbox.state()).positions ?? [0, 0];
      expectEqual(
        "the oldest is leased, the newest was just appended",
        [both[0], both[1] > first[1]],
        [first[0], true],
      );
      await outbox.release([one as OutboxEntry]);
      expectEqual("positions after a release", (await outbox.state()).positions, both);
      await outbox.confirm((await outbox.take(ALL)).slice(0, 2));
      const [oldest = 0] = (await outbox.state()).positions ?? [];
      expectEqual("the oldest event is newer than the newest of before", oldest > first[1], true);
    },
  },
  {
    name: "empty lists have no effect",
    run: async (open) => {
      const outbox = await open();
      await Promise.all([outbox.append([]), outbox.confirm([]), outbox.release([]), outbox.extend?.([])]);
      expectEqual("take", await outbox.take(ALL), []);
    },
  },
  {
    name: "events are neither lost nor repeated when calls overlap",
    run: async (open) => {
      const outbox = await open();
      const groups = Array.from({ length: 20 }, (_, group) => numbers(10).map((id) => `${group}-${id}`));
      const seen = await appendAndDrain(outbox, groups);
      expectEqual("all events", seen.sort(), groups.flat().sort());
    },
  },
  {
    name: "calls after close reject, and close may repeat",
    run: async (open) => {
      const outbox = await open();
      await outbox.append(eventsOf(["1"]));
      await outbox.close();
      await outbox.close();
      await expectRejection("append after close", () => outbox.append(eventsOf(["2"])));
      await expectRejection("take after close", () => outbox.take(ALL));
    },
  },
];

/** Allows a second, because the clock of a server may differ a little. */
function isNear(time: number, from: number, to: number): boolean {
  return time >= from - 1_000 && time <= to + 1_000;
}

/** Makes `undefined` visible in JSON. */
function stateOf({ events, oldest = null as never }: { readonly events: number; readonly oldest: number | undefined }) {
  return { events, oldest };
}

async function appendAndDrain(outbox: Outbox, groups: readonly string[][]): Promise<string[]> {
  const seen: string[] = [];
  const drain = async (): Promise<void> => {
    const taken = await outbox.take({ ...ALL, events: 7 });
    seen.push(...idsOf(taken));
    await outbox.confirm(taken);
    if (taken.length > 0) await drain();
  };
  await Promise.all(groups.flatMap((group) => [outbox.append(eventsOf(group)), drain()]));
  await drain();
  return seen;
}
