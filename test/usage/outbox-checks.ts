// What every outbox must do, as a table that tests run over each kind of outbox.
import { expect, onTestFinished } from "vitest";
import type { Outbox, OutboxEntry, OutboxEvent } from "../../src/usage/index.ts";
import { sleep } from "./service.ts";

/** A promise of the interface `Outbox`. */
export interface OutboxCheck {
  readonly name: string;
  /** The property without which the check does not apply. */
  readonly needs?: "durable" | "shared";
  /** Runs the check with outboxes for the same events, which are empty at first. */
  readonly run: (open: () => Outbox) => Promise<void>;
}

/** A limit that no check reaches. */
export const ALL = { events: 10_000, bytes: 100_000_000 } as const;

/** Creates events with the given ids. */
export function outboxEvents(ids: readonly string[], note = ""): OutboxEvent[] {
  return ids.map((external_id) => {
    const json = JSON.stringify({ name: "check", external_customer_id: "check", external_id, metadata: { note } });
    return { json, bytes: Buffer.byteLength(json) };
  });
}

/** Returns the ids of events. */
export function idsOf(entries: readonly OutboxEntry[]): string[] {
  return entries.map(({ json }) => (JSON.parse(json) as { external_id: string }).external_id);
}

/** Returns `["1", "2", …]`. */
export function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index + 1));
}

/** Returns a function that opens outboxes, which are closed when the test ends. */
export function opener(open: () => Outbox): () => Outbox {
  return () => {
    const outbox = open();
    onTestFinished(() => outbox.close());
    return outbox;
  };
}

const takeIds = async (outbox: Outbox, events: number = ALL.events) => idsOf(await outbox.take({ ...ALL, events }));

export const outboxChecks: readonly OutboxCheck[] = [
  {
    name: "take returns the oldest events first, exactly as they were appended, at most a number of them",
    run: async (open) => {
      const outbox = open();
      const events = [...outboxEvents(["1"], `é " \\ \u2028 \u0000 😀 \ud800`), ...outboxEvents(["2", "3", "4", "5"])];
      await outbox.append(events.slice(0, 2));
      await outbox.append(events.slice(2));
      const takes = await Promise.all([1, 2, 3].map(() => outbox.take({ ...ALL, events: 2 })));
      expect(new Set(takes.flat().map(({ id }) => id)).size).toBe(5);
      expect(await outbox.take(ALL)).toEqual([]);
      const taken = takes.map((entries) => entries.map(({ json, bytes }) => ({ json, bytes })));
      // The connections of a pool do not keep the order of requests that were made at the same time.
      const position = ([first]: (typeof taken)[number]) => events.findIndex(({ json }) => json === first?.json);
      taken.sort((one, other) => position(one) - position(other));
      expect(taken).toEqual([events.slice(0, 2), events.slice(2, 4), events.slice(4)]);
    },
  },
  {
    name: "take returns at most a number of bytes, or one larger event",
    run: async (open) => {
      const outbox = open();
      const events = [...outboxEvents(numbers(4), "é".repeat(100)), ...outboxEvents(["5"], "x".repeat(1_000_000))];
      await outbox.append(events);
      const bytes = (events[0]?.bytes ?? 0) * 2;
      expect(idsOf(await outbox.take({ ...ALL, bytes }))).toEqual(["1", "2"]);
      expect(idsOf(await outbox.take({ ...ALL, bytes: 1 }))).toEqual(["3"]);
      expect(await takeIds(outbox)).toEqual(["4", "5"]);
    },
  },
  {
    name: "confirmed events stay removed, and released ones are returned again, before newer ones",
    run: async (open) => {
      const outbox = open();
      await outbox.append(outboxEvents(numbers(5)));
      const taken = await outbox.take({ ...ALL, events: 4 });
      const confirmed = taken.filter((_, index) => index % 2 === 0);
      await outbox.confirm([...confirmed, ...confirmed]);
      await outbox.confirm(confirmed);
      await outbox.release(confirmed);
      expect((await outbox.state()).events).toBe(3);
      await outbox.release(taken);
      expect((await takeIds(outbox, 2)).sort()).toEqual(["2", "4"]);
      expect(await takeIds(outbox)).toEqual(["5"]);
    },
  },
  {
    name: "state counts events until they are confirmed, with the time of the oldest, and the positions of both ends",
    run: async (open) => {
      const outbox = open();
      expect(await outbox.state()).toMatchObject({ events: 0, oldest: undefined });
      const started = Date.now();
      await outbox.append(outboxEvents(numbers(2)));
      const first = positionsOf(await outbox.state());
      await sleep(5); // Positions may be times.
      const leased = await outbox.take({ ...ALL, events: 1 });
      await outbox.append(outboxEvents(["3"]));
      const { events, oldest, positions } = await outbox.state();
      expect(events).toBe(3);
      // A server's clock may differ slightly.
      expect(oldest).toBeGreaterThan(started - 1_000);
      expect(oldest).toBeLessThan(Date.now() + 1_000);
      expect(positions?.[0]).toBe(first[0]);
      expect(positions?.[1]).toBeGreaterThan(first[1]);
      await outbox.release(leased);
      expect((await outbox.state()).positions).toEqual(positions);
      const taken = await outbox.take(ALL);
      await outbox.confirm(taken.slice(0, 2));
      expect(positionsOf(await outbox.state())[0]).toBeGreaterThan(first[1]);
      await outbox.confirm(taken.slice(2));
      expect(await outbox.state()).toMatchObject({ events: 0, oldest: undefined });
    },
  },
  {
    name: "events are neither lost nor repeated when calls overlap",
    run: async (open) => {
      const outbox = open();
      const groups = Array.from({ length: 20 }, (_, group) => numbers(10).map((id) => `${group}-${id}`));
      const seen: string[] = [];
      const drain = async (): Promise<void> => {
        const taken = await outbox.take({ ...ALL, events: 7 });
        seen.push(...idsOf(taken));
        await outbox.confirm(taken);
        if (taken.length > 0) await drain();
      };
      await Promise.all(groups.flatMap((group) => [outbox.append(outboxEvents(group)), drain()]));
      await drain();
      expect(seen.sort()).toEqual(groups.flat().sort());
    },
  },
  {
    name: "calls after close reject, and close may repeat",
    run: async (open) => {
      const outbox = open();
      await outbox.append(outboxEvents(["1"]));
      await outbox.close();
      await outbox.close();
      for (const call of [
        outbox.append([]),
        outbox.take(ALL),
        outbox.confirm([]),
        outbox.release([]),
        outbox.state(),
      ]) {
        await expect(call).rejects.toMatchObject({ reason: "closed" });
      }
    },
  },
  {
    name: "events are there after close, those that were leased too, and confirmed ones stay removed",
    needs: "durable",
    run: async (open) => {
      const before = open();
      await before.append(outboxEvents(numbers(4)));
      const taken = await before.take({ ...ALL, events: 3 });
      await before.confirm(taken.slice(0, 2));
      await before.close();
      const after = open();
      expect((await after.state()).events).toBe(2);
      expect((await takeIds(after)).sort()).toEqual(["3", "4"]);
    },
  },
  {
    name: "an event is leased to one object at a time, which may not be the one that appended it",
    needs: "shared",
    run: async (open) => {
      const [one, other] = [open(), open()];
      await one.append(outboxEvents(numbers(2)));
      await other.append(outboxEvents(["3", "4"]));
      const takes = await Promise.all([one, other].map((outbox) => takeIds(outbox, 2)));
      expect(takes.flat().sort()).toEqual(["1", "2", "3", "4"]);
      expect([...(await takeIds(one)), ...(await takeIds(other))]).toEqual([]);
      expect((await one.state()).events).toBe(4);
    },
  },
  {
    name: "a lease that is not extended ends, another object gets its events, and removed ones stay removed",
    needs: "shared",
    run: async (open) => {
      const [one, other] = [open(), open()];
      const duration = one.leaseDuration ?? Number.NaN;
      await one.append(outboxEvents(["removed", "kept", "lost"]));
      const [removed, kept, lost] = [await takeOne(one), await takeOne(one), await takeOne(one)];
      await one.confirm(removed);
      for (const end = Date.now() + duration * 1.5; Date.now() < end; await sleep(duration / 5)) {
        await one.extend?.([...removed, ...kept]);
      }
      expect(await takeIds(other)).toEqual(["lost"]);
      await one.confirm(lost);
      expect((await other.state()).events).toBe(1);
    },
  },
];

const takeOne = (outbox: Outbox) => outbox.take({ ...ALL, events: 1 });

function positionsOf({ positions }: Awaited<ReturnType<Outbox["state"]>>): readonly [number, number] {
  expect(positions).toBeDefined();
  return positions as readonly [number, number];
}
