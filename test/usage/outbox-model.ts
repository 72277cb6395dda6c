// What every outbox must do: random programs run on it, and a model predicts each result.

import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect } from "vitest";
import type { NewOutboxEvent, Outbox, OutboxEvent, TakeLimit } from "../../src/usage/index.ts";
import { holds } from "../fuzz/parameters.ts";
import type { Storage } from "./outboxes.ts";

/** A limit that no test reaches. */
export const ALL = { events: 10_000, bytes: 100_000_000 } as const;

/** Creates events with the given ids. */
export function outboxEvents(ids: readonly string[], note = ""): NewOutboxEvent[] {
  return ids.map((external_id) => {
    const json = JSON.stringify({ name: "check", external_customer_id: "check", external_id, metadata: { note } });
    return { json, bytes: Buffer.byteLength(json) };
  });
}

/** Returns the ids of events. */
export function idsOf(entries: readonly OutboxEvent[]): string[] {
  return entries.map(({ json }) => (JSON.parse(json) as { external_id: string }).external_id);
}

/** Returns `["1", "2", …]`. */
export function numbers(count: number): string[] {
  return Array.from({ length: count }, (_, index) => String(index + 1));
}

const NOTES = ["", `é " \\ \u2028 \u0000 😀 \ud800`, "é".repeat(100), "x".repeat(2_000)];

/** `on` selects one of the outboxes, and the bits of `which` some of the events that it has leased or removed. */
const on = fc.nat(1);
const step = fc.oneof(
  fc.record({ do: fc.constant("append"), on, notes: fc.array(fc.constantFrom(...NOTES), { maxLength: 6 }) }),
  fc.record({
    do: fc.constant("take"),
    on,
    limit: fc.record({ events: fc.integer({ min: 1, max: 6 }), bytes: fc.constantFrom(1, 600, 5_000, ALL.bytes) }),
  }),
  fc.record({ do: fc.constantFrom("confirm", "release", "extend"), on, which: fc.nat(1_023) }),
  fc.record({ do: fc.constant("reopen"), on }),
);

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

/** Runs random programs on the outboxes of a storage: on two at a time if it is shared. */
export async function followsModel(storage: Storage, runs: number): Promise<void> {
  let names = 0;
  await holds(runs, fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
    const name = `model-${names++}`;
    const model = new Model({ ...storage, open: () => storage.open(name) });
    for (const each of steps) await model.run(each);
    await model.end();
  });
}

interface Stored extends NewOutboxEvent {
  readonly time: number;
  /** The newest position before and after it was appended. */
  readonly positions: readonly [before: number, after: number];
  /** The outbox that has leased it, and the entry that the outbox returned. */
  lease: { readonly outbox: Outbox; readonly entry: OutboxEvent } | undefined;
  wasTaken: boolean;
}

class Model {
  readonly #storage: Storage;
  readonly #outboxes: Outbox[];
  /** The events that are not confirmed, the oldest first. */
  #stored: Stored[] = [];
  readonly #removed: OutboxEvent[] = [];
  #newest = Number.NEGATIVE_INFINITY;
  #ids = 0;

  constructor(storage: Storage) {
    this.#storage = storage;
    this.#outboxes = Array.from({ length: storage.shared ? 2 : 1 }, () => storage.open());
  }

  async run(action: Step): Promise<void> {
    const index = action.on % this.#outboxes.length;
    const outbox = this.#outboxes[index] as Outbox;
    if ("notes" in action) await this.#append(outbox, this.#create(action.notes));
    else if ("limit" in action) await this.#take(outbox, action.limit);
    else if ("which" in action) await this.#settle(outbox, action.do as "confirm", action.which);
    else this.#outboxes[index] = await this.#reopen(outbox);
    for (const each of this.#outboxes) await this.#expectState(each);
  }

  /** Appends and takes what is left at the same time, and closes the outboxes. */
  async end(): Promise<void> {
    const [seen, events]: NewOutboxEvent[][] = [[], []];
    const drain = async (outbox: Outbox): Promise<void> => {
      const taken = await outbox.take({ ...ALL, events: 3 });
      seen?.push(...taken);
      await outbox.confirm(taken);
      if (taken.length > 0) await drain(outbox);
    };
    const calls = [...this.#outboxes, ...this.#outboxes, ...this.#outboxes].flatMap((outbox) => {
      const added = this.#create(NOTES);
      events?.push(...added);
      return [outbox.append(added), drain(outbox)];
    });
    await Promise.all(calls);
    await drain(this.#outboxes[0] as Outbox);
    const expected = [...this.#available(), ...(events ?? [])].map(({ json }) => json);
    expect(seen?.map(({ json }) => json).sort()).toEqual(expected.sort());
    await Promise.all(this.#outboxes.map((outbox) => outbox.close()));
  }

  #create(notes: readonly string[]): NewOutboxEvent[] {
    return notes.flatMap((note) => outboxEvents([String(this.#ids++)], note));
  }

  #available(): Stored[] {
    return this.#stored.filter(({ lease }) => lease === undefined);
  }

  async #append(outbox: Outbox, events: readonly NewOutboxEvent[]): Promise<void> {
    await sleep(2); // Positions may be times.
    const time = Date.now();
    await outbox.append(events);
    if (events.length === 0) return;
    const after = (await outbox.state()).positions?.[1] ?? Number.NaN;
    expect(after).toBeGreaterThan(this.#newest);
    const positions = [this.#newest, after] as const;
    this.#stored.push(...events.map((event) => ({ ...event, time, positions, lease: undefined, wasTaken: false })));
    this.#newest = after;
  }

  async #take(outbox: Outbox, limit: TakeLimit): Promise<void> {
    const entries = await outbox.take(limit);
    const available = this.#available();
    const taken = entries.map(({ json, bytes }) =>
      available.find((each) => each.json === json && each.bytes === bytes),
    );
    expect(new Set(taken).size).toBe(entries.length);
    // First the released events, in any order, then newer ones in the order in which they were appended.
    const [released, fresh] = [true, false].map((wasTaken) => available.filter((each) => each.wasTaken === wasTaken));
    const again = taken.filter((each) => each?.wasTaken);
    const missing = (released ?? []).filter((each) => !again.includes(each));
    expect(taken).toEqual([...again, ...(fresh ?? []).slice(0, missing.length > 0 ? 0 : taken.length - again.length)]);
    const size = entries.reduce((sum, { bytes }) => sum + bytes, 0);
    const next = missing.length > 0 ? missing : (fresh ?? []).slice(taken.length - again.length).slice(0, 1);
    const isComplete =
      entries.length === limit.events || next.every((each) => entries.length > 0 && size + each.bytes > limit.bytes);
    expect(isComplete || missing.some((each) => size + each.bytes > limit.bytes)).toBe(true);
    expect(entries.length <= limit.events && (entries.length === 1 || size <= limit.bytes)).toBe(true);
    for (const [index, each] of taken.entries()) {
      Object.assign(each as Stored, { lease: { outbox, entry: entries[index] }, wasTaken: true });
    }
  }

  /** Settles some leased events. Every method ignores removed events, and events that are passed twice. */
  async #settle(outbox: Outbox, method: "confirm" | "release" | "extend", which: number): Promise<void> {
    const leased = this.#stored.filter(({ lease }) => lease?.outbox === outbox);
    const chosen = leased.filter((_, index) => (which >> index) & 1);
    const entries = chosen.flatMap(({ lease }) => lease?.entry ?? []);
    await outbox[method]?.([...entries, ...this.#removed.slice(-2), ...entries]);
    if (method === "extend") return;
    for (const each of chosen) each.lease = undefined;
    if (method === "release") return;
    this.#removed.push(...entries);
    this.#stored = this.#stored.filter((each) => !chosen.includes(each));
  }

  /** Closes an outbox, which ends its leases, and opens another one for the same events. */
  async #reopen(outbox: Outbox): Promise<Outbox> {
    for (const _ of [1, 2]) await outbox.close();
    const calls = [outbox.append([]), outbox.take(ALL), outbox.confirm([]), outbox.release([]), outbox.state()];
    for (const call of calls) await expect(call).rejects.toMatchObject({ name: "OutboxError", reason: "closed" });
    for (const each of this.#stored) if (each.lease?.outbox === outbox) each.lease = undefined;
    if (!this.#storage.durable) [this.#stored, this.#newest] = [[], Number.NEGATIVE_INFINITY];
    return this.#storage.open();
  }

  async #expectState(outbox: Outbox): Promise<void> {
    const { events, oldest = 0, positions = [] } = await outbox.state();
    expect(events).toBe(this.#stored.length);
    const [first, last] = [this.#stored[0], this.#stored.at(-1)];
    if (first === undefined || last === undefined) return expect([oldest, positions]).toEqual([0, []]);
    // A server's clock may differ slightly.
    expect(Math.abs(oldest - first.time)).toBeLessThan(1_000);
    const [start = Number.NaN, end = Number.NaN] = positions;
    expect(start > first.positions[0] && start <= first.positions[1]).toBe(true);
    expect(end > last.positions[0] && end <= this.#newest).toBe(true);
  }
}
