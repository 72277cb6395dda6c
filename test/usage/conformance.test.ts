import { describe, expect, it } from "vitest";
import { memoryOutbox, type Outbox } from "../../src/usage/index.ts";
import { type OutboxTestOptions, outboxChecks, testOutbox } from "../../src/usage/testing.ts";
import { SharedOutbox } from "./shared-outbox.ts";

/** Keeps events by name, so that they outlive the objects. */
function sharedOptions(change: (outbox: Outbox) => Partial<Outbox> = () => ({})): OutboxTestOptions {
  const stores = new Map<string, unknown[]>();
  const open = (name: string): Outbox => {
    const store = stores.get(name) ?? [];
    stores.set(name, store);
    const outbox = new SharedOutbox(store);
    return Object.assign(outbox, change(outbox));
  };
  return { open, durable: true, shared: true };
}

describe("memoryOutbox passes every check that applies to it", () => {
  for (const { name, run } of outboxChecks({ open: memoryOutbox })) it(name, run);
});

describe("a shared outbox passes every check", () => {
  for (const { name, run } of outboxChecks(sharedOptions())) it(name, run);
});

describe("testOutbox", () => {
  it("resolves if every check passes", async () => {
    await expect(testOutbox(sharedOptions())).resolves.toBeUndefined();
  });

  it("rejects an `open` that is not a function, like outboxChecks", async () => {
    await expect(testOutbox({} as never)).rejects.toThrow("testOutbox: open must be a function that opens an outbox");
    expect(() => outboxChecks({} as never)).toThrow("outboxChecks: open must be a function that opens an outbox");
  });

  it("lists every failed check with its reason", async () => {
    const failing = testOutbox(sharedOptions(() => ({ state: () => Promise.reject(new Error("no state")) })));
    await expect(failing).rejects.toThrow(/^The outbox fails \d+ checks:\n/);
    await expect(failing).rejects.toThrow(
      "- state counts events until they are confirmed, and has the time of the oldest: no state",
    );
  });

  it("counts one failed check in the singular", async () => {
    const options = sharedOptions((outbox) => ({
      take: ({ events }) => SharedOutbox.prototype.take.call(outbox, { events, bytes: 1e9 }),
    }));
    await expect(testOutbox(options)).rejects.toThrow(/^The outbox fails 1 check:\n/);
  });

  it("uses a new outbox for each check", async () => {
    const names = new Set<string>();
    const open = (name: string): Outbox => {
      names.add(name);
      return memoryOutbox();
    };
    await testOutbox({ open });
    expect(names.size).toBe(outboxChecks({ open: memoryOutbox }).length);
    for (const name of names) expect(name).toMatch(/^[a-z-]+$/);
  });
});

const always = () => Promise.resolve();

/** Outboxes with one flaw each, and the beginning of the check that must find it. */
const flaws: readonly [flaw: string, change: (outbox: Outbox) => Partial<Outbox>, check: string][] = [
  ["loses what it appends", () => ({ append: always }), "take returns the oldest events first"],
  [
    "returns newer events first",
    (outbox) => ({ append: (events) => SharedOutbox.prototype.append.call(outbox, events.toReversed()) }),
    "take returns the oldest events first",
  ],
  [
    "changes events",
    (outbox) => ({
      append: (events) => {
        const ascii = events.map(({ json, bytes }) => ({ json: json.replaceAll("é", "e"), bytes }));
        return SharedOutbox.prototype.append.call(outbox, ascii);
      },
    }),
    "take returns events exactly as they were appended",
  ],
  [
    "ignores the limit of events",
    (outbox) => ({ take: ({ bytes }) => SharedOutbox.prototype.take.call(outbox, { events: 100_000, bytes }) }),
    "take returns at most `events` events",
  ],
  [
    "ignores the limit of bytes",
    (outbox) => ({ take: ({ events }) => SharedOutbox.prototype.take.call(outbox, { events, bytes: 1e9 }) }),
    "take returns at most `bytes` bytes",
  ],
  [
    "returns leased events again",
    (outbox) => ({
      take: async (limit) => {
        const taken = await SharedOutbox.prototype.take.call(outbox, limit);
        await outbox.release(taken);
        return taken;
      },
    }),
    "leased events are not returned again",
  ],
  ["keeps released events", () => ({ release: always }), "released events are returned again"],
  ["keeps confirmed events", () => ({ confirm: always }), "confirmed events are removed"],
  ["does not restart leases", () => ({ extend: always }), "a lease that is not extended ends"],
  ["works after close", () => ({ close: always }), "calls after close reject"],
  [
    "loses its events when it is closed",
    (outbox) => ({ close: async () => outbox.confirm(await outbox.take({ events: 100, bytes: 1e9 })) }),
    "events are there after close",
  ],
];

describe("testOutbox finds an outbox that", () => {
  it.each(flaws)("%s", async (_, change, check) => {
    await expect(testOutbox(sharedOptions(change))).rejects.toThrow(`- ${check}`);
  });
});
