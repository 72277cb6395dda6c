import {
  type Outbox,
  type OutboxEntry,
  OutboxError,
  type OutboxEvent,
  type OutboxState,
  type TakeLimit,
} from "./outbox.ts";

interface StoredEntry extends OutboxEntry {
  readonly appendedAt: number;
}

/**
 * Creates an outbox in memory, the default of `createEventBuffer`. Its events are lost when the process ends: close the buffer
 * first, or use `sqliteOutbox` from `@billing-service/sdk/usage/sqlite`.
 */
export function memoryOutbox(): Outbox {
  return new MemoryOutbox();
}

class MemoryOutbox implements Outbox {
  readonly #waiting = new Fifo<StoredEntry>();
  /** Released entries. They are older than the waiting ones. */
  readonly #released = new Fifo<StoredEntry>();
  readonly #taken = new Set<OutboxEntry>();
  #count = 0;
  #isClosed = false;

  async append(events: readonly OutboxEvent[]): Promise<void> {
    this.#requireOpen("append");
    const appendedAt = Date.now();
    for (const { json, bytes } of events) {
      this.#count += 1;
      this.#waiting.push({ id: String(this.#count), json, bytes, appendedAt });
    }
  }

  async take(limit: TakeLimit): Promise<readonly OutboxEntry[]> {
    this.#requireOpen("take");
    const taken: OutboxEntry[] = [];
    for (let bytes = 0; taken.length < limit.events; ) {
      const queue = this.#released.size > 0 ? this.#released : this.#waiting;
      bytes += queue.peek()?.bytes ?? 0;
      if (queue.size === 0 || (bytes > limit.bytes && taken.length > 0)) break;
      const entry = queue.shift() as StoredEntry;
      this.#taken.add(entry);
      taken.push(entry);
    }
    return taken;
  }

  async confirm(entries: readonly OutboxEntry[]): Promise<void> {
    this.#requireOpen("confirm");
    for (const entry of entries) this.#taken.delete(entry);
  }

  async release(entries: readonly OutboxEntry[]): Promise<void> {
    this.#requireOpen("release");
    for (const entry of entries) if (this.#taken.delete(entry)) this.#released.push(entry as StoredEntry);
  }

  async state(): Promise<OutboxState> {
    this.#requireOpen("state");
    const events = this.#released.size + this.#waiting.size + this.#taken.size;
    if (events === 0) return { events, oldest: undefined };
    const entry = this.#oldest();
    return { events, oldest: entry.appendedAt, positions: [Number(entry.id), this.#count] };
  }

  #oldest(): StoredEntry {
    const entries = [...this.#released, ...(this.#taken as Set<StoredEntry>), this.#waiting.peek()];
    return entries.reduce((a, b) => (a === undefined || Number(b?.id) < Number(a.id) ? b : a)) as StoredEntry;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
  }

  #requireOpen(method: string): void {
    if (this.#isClosed) throw new OutboxError("closed", `memoryOutbox: ${method} was called after close`);
  }
}

/** The number of removed items after which the array is shortened. */
const SHORTEN = 4_096;

/** A queue whose operations take constant time on average. */
export class Fifo<Item> {
  #items: (Item | undefined)[] = [];
  #head = 0;

  /** The number of items. */
  get size(): number {
    return this.#items.length - this.#head;
  }

  /** Adds an item at the end. */
  push(item: Item): void {
    this.#items.push(item);
  }

  /** Returns the first item without removing it; undefined if there is none. */
  peek(): Item | undefined {
    return this.#items[this.#head];
  }

  /** Removes and returns the first item; undefined if there is none. */
  shift(): Item | undefined {
    const item = this.#items[this.#head];
    if (this.size === 0) return undefined;
    this.#items[this.#head] = undefined;
    this.#head += 1;
    if (this.#head >= SHORTEN && this.#head * 2 >= this.#items.length) this.#shorten();
    return item;
  }

  /** Iterates over the items, the first one first. */
  *[Symbol.iterator](): Generator<Item> {
    for (let index = this.#head; index < this.#items.length; index++) yield this.#items[index] as Item;
  }

  #shorten(): void {
    this.#items = this.#items.slice(this.#head);
    this.#head = 0;
  }
}
