import { type Outbox, type OutboxEntry, OutboxError, type OutboxEvent, type TakeLimit } from "../../src/usage/index.ts";

let appended = 0;

interface Stored extends OutboxEntry {
  readonly position: number;
  readonly appendedAt: number;
  owner: SharedOutbox | undefined;
  leasedUntil: number;
}

/** Stores events in memory for several outboxes, as a server would for several processes. */
export class SharedOutbox implements Outbox {
  readonly leaseDuration: number;
  readonly pollInterval = 20;
  readonly #store: Stored[];
  #isClosed = false;

  constructor(store: unknown[], leaseDuration = 100) {
    this.#store = store as Stored[];
    this.leaseDuration = leaseDuration;
  }

  async append(events: readonly OutboxEvent[]): Promise<void> {
    this.#requireOpen();
    for (const event of events) {
      const lease = { owner: undefined, leasedUntil: 0 };
      this.#store.push({ ...event, ...lease, id: crypto.randomUUID(), position: appended++, appendedAt: Date.now() });
    }
  }

  async take(limit: TakeLimit): Promise<OutboxEntry[]> {
    this.#requireOpen();
    const taken: Stored[] = [];
    let bytes = 0;
    for (const entry of this.#store) {
      if (entry.leasedUntil > Date.now()) continue;
      bytes += entry.bytes;
      if (taken.length === limit.events || (taken.length > 0 && bytes > limit.bytes)) break;
      this.#lease(entry);
      taken.push(entry);
    }
    return taken;
  }

  async extend(entries: readonly OutboxEntry[]): Promise<void> {
    for (const entry of entries as Stored[]) if (entry.owner === this) this.#lease(entry);
  }

  async confirm(entries: readonly OutboxEntry[]): Promise<void> {
    this.#requireOpen();
    const left = this.#store.filter((entry) => !entries.includes(entry));
    this.#store.splice(0, this.#store.length, ...left);
  }

  async release(entries: readonly OutboxEntry[]): Promise<void> {
    this.#requireOpen();
    for (const entry of entries as Stored[]) if (entry.owner === this) entry.leasedUntil = 0;
  }

  async state() {
    this.#requireOpen();
    const [first, last] = [this.#store[0], this.#store.at(-1)];
    const positions = first && last && ([first.position, last.position] as const);
    return { events: this.#store.length, oldest: first?.appendedAt, positions };
  }

  async close(): Promise<void> {
    if (!this.#isClosed) await this.release(this.#store);
    this.#isClosed = true;
  }

  #lease(entry: Stored): void {
    entry.owner = this;
    entry.leasedUntil = Date.now() + this.leaseDuration;
  }

  #requireOpen(): void {
    if (this.#isClosed) throw new OutboxError("closed", "the outbox is closed");
  }
}
