import { setTimeout as sleep } from "node:timers/promises";
import fc from "fast-check";
import { expect, it } from "vitest";
import type { Event } from "#current";
import type { FaultInput } from "../../mock/index.ts";
import { createEventBuffer, type EventBuffer, type EventBufferError } from "../../src/usage/index.ts";
import { holds, patient } from "../fuzz/parameters.ts";
import { type Storage, storages } from "./outboxes.ts";
import { QUICK, service } from "./service.ts";

const faults: FaultInput[] = [
  { kind: "reset" },
  { kind: "truncated" },
  { status: 503 },
  { status: 401 },
  { delay: 20 },
];
/** `on` selects one of the buffers. */
const on = fc.nat(1);
const wait = fc.boolean();
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant("add"),
      on,
      events: fc.integer({ min: 1, max: 30 }),
      bad: fc.nat(5).map((chance) => chance === 0),
      wait,
    }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constant("flush"), on, wait }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom("restart", "close soon"), on, wait }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("fault"),
      fault: fc.constantFrom(...faults),
      requests: fc.integer({ min: 1, max: 3 }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("pause"), ms: fc.constantFrom(0, 1, 15) }) },
);

const options = fc.record({
  concurrency: fc.integer({ min: 1, max: 4 }),
  maxBatchEvents: fc.constantFrom(1, 3, 10, 500),
  maxDelay: fc.constantFrom(0, 5, 60_000),
  maxQueued: fc.constantFrom(10, 40, 1_000),
});

type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;
type Options = typeof options extends fc.Arbitrary<infer Value> ? Value : never;

/** Runs a program on one or two buffers, and checks after each flush, and at the end, that nothing is missing. */
class Model {
  readonly #storage: Storage;
  readonly #name: string;
  readonly #options: Options;
  readonly #service = service();
  readonly #buffers: EventBuffer<Event>[];
  /** Buffers that are closed, with their final numbers. */
  readonly #closed: EventBuffer<Event>[] = [];
  /** The ids whose `add` was called and has not failed, with the buffer that has not stored them yet. */
  readonly #added = new Map<string, EventBuffer<Event> | undefined>();
  readonly #rejected = new Set<string>();
  readonly #dropped = new Set<string>();
  readonly #running = new Set<Promise<unknown>>();
  #next = 0;

  constructor(storage: Storage, name: string, given: Options) {
    this.#storage = storage;
    this.#name = name;
    this.#options = given;
    this.#buffers = Array.from({ length: storage.shared ? 2 : 1 }, () => this.#open());
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const each of steps) {
      const done = this.#do(each);
      this.#running.add(done);
      if (!("wait" in each) || each.wait) await done;
    }
    await Promise.all(this.#running);
    this.#service.mock.faults.clear();
    await Promise.all(this.#buffers.map((usage) => usage.flush()));
    this.#expectSettled([...this.#added.keys()], "at the end");
    await Promise.all(this.#buffers.map((usage) => usage.close()));
    await this.#expectTrueNumbers([...this.#closed, ...this.#buffers]);
  }

  async #do(action: Step): Promise<void> {
    const { mock } = this.#service;
    if (action.do === "pause") return sleep(action.ms);
    if (action.do === "fault") {
      mock.fault({ ...action.fault, times: action.requests });
      return;
    }
    const index = action.on % this.#buffers.length;
    if (action.do === "add") return this.#add(this.#buffers[index]!, action.events, action.bad);
    if (action.do === "flush") return this.#flush(this.#buffers[index]!);
    await this.#restart(index, action.do === "restart" ? 30_000 : 0);
  }

  async #add(usage: EventBuffer<Event>, events: number, isBad: boolean): Promise<void> {
    const added = Array.from({ length: events }, async (_, index) => {
      const external_id = `event-${this.#next++}`;
      this.#added.set(external_id, usage);
      const customer = isBad && index === 0 ? { customer_id: "no uuid" } : { external_customer_id: "acme" };
      try {
        await usage.add({ name: "api.call", external_id, ...customer } as Event);
        this.#added.set(external_id, undefined);
      } catch (error) {
        this.#added.delete(external_id);
        expect(error).toMatchObject({ name: "EventBufferError", reason: expect.stringMatching(/^(closed|full)$/) });
      }
    });
    await Promise.all(added);
  }

  async #flush(usage: EventBuffer<Event>): Promise<void> {
    const before = this.#addedTo(usage);
    try {
      await usage.flush();
    } catch (error) {
      // Two responses in a row with 401 end a flush, and so does a close.
      expect([401, undefined]).toContain((error as { status?: number }).status);
      return;
    }
    this.#expectSettled(before, "after a flush");
  }

  /** Closes a buffer and opens another one over the same storage. */
  async #restart(index: number, timeout: number): Promise<void> {
    const usage = this.#buffers[index]!;
    if (this.#closed.includes(usage)) return;
    this.#closed.push(usage);
    const before = this.#addedTo(usage);
    const closed = usage.close({ timeout }).then(
      () => true,
      (error: unknown) => {
        expect(error).toMatchObject({ name: "EventBufferError", reason: "unsent" });
        for (const { external_id } of (error as EventBufferError).events) this.#dropped.add(external_id!);
        return false;
      },
    );
    // SQLite is open once at a time, so that adds in between find a closed buffer.
    if (!this.#storage.shared) await closed;
    this.#buffers[index] = this.#open();
    const isSent = await closed;
    if (!this.#storage.durable && isSent) this.#expectSettled(before, "after close");
  }

  /** The events of the outbox, and those that the buffer is adding. */
  #addedTo(usage: EventBuffer<Event>): string[] {
    return [...this.#added].filter(([, adding]) => adding === undefined || adding === usage).map(([id]) => id);
  }

  #open(): EventBuffer<Event> {
    return createEventBuffer(this.#service.billing, {
      ...QUICK,
      ...this.#options,
      outbox: this.#storage.open(this.#name),
      onRejected: (rejected) => {
        for (const { event } of rejected) this.#rejected.add(event.external_id!);
      },
    });
  }

  /** An event is settled if the service has it, or the buffer said that it never will, or its `add` has failed. */
  #expectSettled(ids: readonly string[], when: string): void {
    const stored = new Set(this.#service.mock.events.list().map(({ external_id }) => external_id));
    const missing = ids.filter((id) => {
      return this.#added.has(id) && !stored.has(id) && !this.#rejected.has(id) && !this.#dropped.has(id);
    });
    expect(missing, when).toEqual([]);
  }

  async #expectTrueNumbers(buffers: readonly EventBuffer<Event>[]): Promise<void> {
    const stats = await Promise.all(buffers.map((usage) => usage.stats()));
    const sum = (name: "sent" | "rejected" | "dropped" | "duplicates") =>
      stats.reduce((total, each) => total + each[name], 0);
    const { size } = this.#service.mock.events;
    expect(stats.slice(this.#closed.length).map(({ queued }) => queued)).toEqual(this.#buffers.map(() => 0));
    expect({ rejected: sum("rejected"), dropped: sum("dropped") }).toEqual({
      rejected: this.#rejected.size,
      dropped: this.#dropped.size,
    });
    // An aborted request may have stored events that are sent again, or dropped.
    expect(sum("sent")).toBeGreaterThanOrEqual(size - this.#dropped.size);
    expect(sum("sent") - sum("duplicates")).toBeLessThanOrEqual(size);
  }
}

it.each(Object.entries(storages))(
  "with %s, a flush resolves when every event that was added before is stored or rejected, and nothing is lost",
  async (kind, create) => {
    const storage = await create();
    const programs = fc.record({ steps: fc.array(step, { minLength: 1, maxLength: 12 }), options });
    let runs = 0;
    await holds({ Redis: 20, Postgres: 8 }[kind] ?? 60, programs, async ({ steps, options: given }) => {
      const late = sleep(60_000).then(() => Promise.reject(new Error("still pending after a minute")));
      await Promise.race([new Model(storage, `run-${runs++}`, given).run(steps), late]);
    });
  },
  patient.timeout,
);
